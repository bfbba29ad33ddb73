import type { Kysely, Transaction } from "kysely";
import { type Wallet, walletColumn } from "../../../common/chains/wallet.ts";
import { bytesOfHex, hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import type { EntitiesSchema } from "../base/schema.ts";

/** Returns which of some wallets are on a sale's deny list, in hex. @param wallets at least one */
export async function readDenied(
  query: Kysely<EntitiesSchema>,
  saleUuid: string,
  wallets: readonly Uint8Array[],
): Promise<ReadonlySet<string>> {
  const rows = await query
    .selectFrom("denied_wallet")
    .select("wallet")
    .where("sale", "=", bytesOfHex(saleUuid))
    .where("wallet", "in", wallets)
    .execute();
  return new Set(rows.map(({ wallet }) => hexOfBytes(wallet)));
}

/** Adds wallets that aren't on the deny list. @param wallets at least one */
export async function insertDenied(
  transaction: Transaction<EntitiesSchema>,
  saleUuid: string,
  wallets: readonly Uint8Array[],
): Promise<void> {
  const sale = bytesOfHex(saleUuid);
  await transaction
    .insertInto("denied_wallet")
    .values(wallets.map((wallet) => ({ sale, wallet })))
    .execute();
}

/** Removes wallets. @param wallets at least one */
export async function deleteDenied(
  transaction: Transaction<EntitiesSchema>,
  saleUuid: string,
  wallets: readonly Uint8Array[],
): Promise<void> {
  await transaction
    .deleteFrom("denied_wallet")
    .where("sale", "=", bytesOfHex(saleUuid))
    .where("wallet", "in", wallets)
    .execute();
}

/** Returns a page of the deny list, in the order of the addresses' bytes. @param after in hex; empty for the first page */
export async function readDeniedPage(
  query: Kysely<EntitiesSchema>,
  saleUuid: string,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly Uint8Array[]> {
  const page = query.selectFrom("denied_wallet").select("wallet").where("sale", "=", bytesOfHex(saleUuid));
  const later = after === "" ? page : page.where("wallet", ">", bytesOfHex(after));
  return (await later.orderBy("wallet").limit(limit).execute()).map(({ wallet }) => wallet);
}

/** Whether a wallet is on the deny list of a sale. */
export async function isDenied(query: Kysely<EntitiesSchema>, saleUuid: string, wallet: Wallet): Promise<boolean> {
  const row = await query
    .selectFrom("denied_wallet")
    .select("wallet")
    .where("sale", "=", bytesOfHex(saleUuid))
    .where("wallet", "=", walletColumn(wallet))
    .executeTakeFirst();
  return row !== undefined;
}
