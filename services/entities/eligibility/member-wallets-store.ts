import type { Kysely } from "kysely";
import { type Wallet, walletColumn } from "../../../common/chains/wallet.ts";
import { bytesOfHex, hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import type { EntitiesSchema } from "../base/schema.ts";
import type { MemberWallet } from "../members/matching-members-store.ts";
import { readSaleWallets } from "../wallets/sale-wallets-store.ts";
import { readWalletLinks } from "../wallets/wallet-links-store.ts";

/**
 * Returns the wallets by which an entity may be a member of a sale: those that are linked to it or bound to it in the sale,
 * and the one that it asks a permit for. A linked wallet that is bound to another entity in the sale doesn't count: what it
 * is a member of would count twice. The permit's own always counts, as it gets no permit while it is another entity's.
 */
export async function readMemberWallets(
  query: Kysely<EntitiesSchema>,
  saleUuid: string,
  entityUuid: string,
  permitWallet: Wallet | undefined,
): Promise<readonly MemberWallet[]> {
  const links = await readWalletLinks(query, entityUuid);
  const bound = await readSaleWallets(query, saleUuid, entityUuid);
  const others = await readOthersWallets(
    query,
    saleUuid,
    entityUuid,
    links.map(({ wallet }) => wallet),
  );
  // Of the same wallet the last entry stays: that of the strongest proof.
  const wallets = new Map<string, MemberWallet>();
  const add = ({ bytes }: Wallet, proved: boolean) => wallets.set(hexOfBytes(bytes), { bytes, proved });
  if (permitWallet !== undefined) add(permitWallet, false);
  for (const { wallet, isProved } of bound) add(wallet, isProved);
  const permitWalletKey = permitWallet && hexOfBytes(permitWallet.bytes);
  for (const { wallet } of links) {
    const key = hexOfBytes(wallet.bytes);
    if (key === permitWalletKey || !others.has(key)) add(wallet, true);
  }
  return [...wallets.values()];
}

/** Returns those of the wallets, in hex, that are bound to another entity in the sale. */
async function readOthersWallets(
  query: Kysely<EntitiesSchema>,
  saleUuid: string,
  entityUuid: string,
  wallets: readonly Wallet[],
): Promise<ReadonlySet<string>> {
  if (wallets.length === 0) return new Set();
  const rows = await query
    .selectFrom("sale_wallet")
    .select("wallet")
    .where("sale", "=", bytesOfHex(saleUuid))
    .where("wallet", "in", wallets.map(walletColumn))
    .where("entity", "!=", bytesOfHex(entityUuid))
    .execute();
  return new Set(rows.map(({ wallet }) => hexOfBytes(wallet)));
}
