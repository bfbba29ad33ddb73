import type { Kysely, Transaction } from "kysely";
import { type Wallet, walletColumn, walletOfRow } from "../../../common/chains/wallet.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import type { EntitiesSchema } from "../base/schema.ts";
import type { SaleWalletTable } from "../base/wallet-tables.ts";
import type { SaleWallet } from "./binding.ts";

/** A wallet of an entity in a sale. */
export interface SaleWalletKey {
  readonly saleUuid: string;
  readonly entityUuid: string;
  readonly wallet: Wallet;
}

/** A row with the link of the same wallet to the same entity. */
export type SaleWalletRow = SaleWalletTable & { readonly linked_at_ms: bigint | string | null };

/** Returns the wallets that permits have bound to an entity in a sale. */
export async function readSaleWallets(
  query: Kysely<EntitiesSchema>,
  saleUuid: string,
  entityUuid: string,
): Promise<readonly SaleWallet[]> {
  const rows = await withLinks(query)
    .where("sale_wallet.entity", "=", bytesOfHex(entityUuid))
    .where("sale_wallet.sale", "=", bytesOfHex(saleUuid))
    .orderBy("bound_at_ms")
    .orderBy("sale_wallet.wallet")
    .execute();
  return rows.map(saleWalletOfRow);
}

/** Returns the binding of a wallet in a sale, to whichever entity. */
export async function findSaleWallet(
  query: Kysely<EntitiesSchema>,
  saleUuid: string,
  wallet: Wallet,
): Promise<SaleWallet | undefined> {
  const row = await withLinks(query)
    .where("sale_wallet.sale", "=", bytesOfHex(saleUuid))
    .where("sale_wallet.wallet", "=", walletColumn(wallet))
    .executeTakeFirst();
  return row && saleWalletOfRow(row);
}

/** Returns the wallets that permits have bound to an entity, each with the sale. */
export async function readBoundSales(
  query: Kysely<EntitiesSchema>,
  entityUuid: string,
): Promise<readonly { readonly saleUuid: string; readonly wallet: Wallet }[]> {
  const rows = await query
    .selectFrom("sale_wallet")
    .select(["sale", "wallet", "kind"])
    .where("entity", "=", bytesOfHex(entityUuid))
    .orderBy("sale")
    .execute();
  return rows.map((row) => ({ saleUuid: uuidFromBytes(row.sale), wallet: walletOfRow(row) }));
}

/** Notes that a signature has shown that a wallet is an entity's, in all sales in which a permit has bound it to the entity. */
export async function markProved(
  transaction: Transaction<EntitiesSchema>,
  entityUuid: string,
  wallet: Wallet,
  nowMs: bigint,
): Promise<void> {
  await transaction
    .updateTable("sale_wallet")
    .set({ proved_at_ms: nowMs })
    .where("entity", "=", bytesOfHex(entityUuid))
    .where("wallet", "=", walletColumn(wallet))
    .where("kind", "=", wallet.kind)
    .where("proved_at_ms", "is", null)
    .execute();
}

/** Bindings with the link of the same wallet to the same entity. */
function withLinks(query: Kysely<EntitiesSchema>) {
  return query
    .selectFrom("sale_wallet")
    .leftJoin("wallet_link", (join) =>
      join
        .onRef("wallet_link.entity", "=", "sale_wallet.entity")
        .onRef("wallet_link.kind", "=", "sale_wallet.kind")
        .onRef("wallet_link.wallet", "=", "sale_wallet.wallet"),
    )
    .selectAll("sale_wallet")
    .select("wallet_link.linked_at_ms");
}

/** @param row with `linked_at_ms` of the link of the same wallet to the same entity, or null */
export function saleWalletOfRow(row: SaleWalletRow): SaleWallet {
  return {
    wallet: walletOfRow(row),
    entityUuid: uuidFromBytes(row.entity),
    isProved: row.proved_at_ms !== null || row.linked_at_ms !== null,
    boundAtMs: BigInt(row.bound_at_ms),
    permitExpiresAtMs: BigInt(row.permit_expires_at_ms),
  };
}
