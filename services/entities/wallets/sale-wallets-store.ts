import { type Kysely, sql, type Transaction } from "kysely";
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

/** A binding as a permit makes it. */
export interface NewSaleWallet extends SaleWalletKey {
  readonly isProved: boolean;
  readonly permitExpiresAtMs: bigint;
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

/** Returns the wallets of an entity in a sale, and the binding of one wallet, to whichever entity. The earliest comes first. */
export async function readBindings(
  query: Kysely<EntitiesSchema>,
  { saleUuid, entityUuid, wallet }: SaleWalletKey,
): Promise<readonly SaleWallet[]> {
  const rows = await withLinks(query)
    .where("sale_wallet.sale", "=", bytesOfHex(saleUuid))
    .where((either) =>
      either.or([
        either("sale_wallet.wallet", "=", walletColumn(wallet)),
        either("sale_wallet.entity", "=", bytesOfHex(entityUuid)),
      ]),
    )
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

/** Binds wallets, at least one, that are bound to nobody. */
export async function insertSaleWallets(
  transaction: Transaction<EntitiesSchema>,
  bindings: readonly NewSaleWallet[],
  nowMs: bigint,
): Promise<void> {
  const rows = bindings.map(({ saleUuid, entityUuid, wallet, isProved, permitExpiresAtMs }) => ({
    sale: bytesOfHex(saleUuid),
    wallet: walletColumn(wallet),
    kind: wallet.kind,
    entity: bytesOfHex(entityUuid),
    proved_at_ms: isProved ? nowMs : null,
    bound_at_ms: nowMs,
    permit_expires_at_ms: permitExpiresAtMs,
  }));
  await transaction.insertInto("sale_wallet").values(rows).execute();
}

/**
 * Gives a wallet of another entity to this one.
 *
 * @param holder the other entity, which has neither proof nor bid
 * @returns false if a signature has proved since that it is the other one's
 */
export async function moveSaleWallet(
  transaction: Transaction<EntitiesSchema>,
  { saleUuid, entityUuid, wallet, isProved, permitExpiresAtMs }: NewSaleWallet,
  holder: string,
  nowMs: bigint,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable("sale_wallet")
    .set({
      entity: bytesOfHex(entityUuid),
      proved_at_ms: isProved ? nowMs : null,
      bound_at_ms: nowMs,
      permit_expires_at_ms: permitExpiresAtMs,
    })
    .where("sale", "=", bytesOfHex(saleUuid))
    .where("wallet", "=", walletColumn(wallet))
    .where("entity", "=", bytesOfHex(holder))
    .where("proved_at_ms", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The part of new bindings that one statement gives to all of them. */
export type SharedBinding = Pick<NewSaleWallet, "saleUuid" | "isProved" | "permitExpiresAtMs">;

/**
 * Extends bindings, at least one, of the same entities by another permit each. A proof and a later end stay. The transaction has
 * locked the sale, so that each wallet is its entity's still.
 */
export async function extendSaleWallets(
  transaction: Transaction<EntitiesSchema>,
  { saleUuid, isProved, permitExpiresAtMs }: SharedBinding,
  keys: readonly Pick<SaleWalletKey, "entityUuid" | "wallet">[],
  nowMs: bigint,
): Promise<void> {
  const wallets = keys.map(({ wallet }) => walletColumn(wallet));
  const entities = keys.map(({ entityUuid }) => bytesOfHex(entityUuid));
  await transaction
    .updateTable("sale_wallet")
    .set({
      permit_expires_at_ms: sql`case when permit_expires_at_ms < ${permitExpiresAtMs} then ${permitExpiresAtMs} else permit_expires_at_ms end`,
      ...(isProved && { proved_at_ms: sql`coalesce(proved_at_ms, ${nowMs})` }),
    })
    .where("sale", "=", bytesOfHex(saleUuid))
    .where("wallet", "in", wallets)
    .where("entity", "in", entities)
    .execute();
}

/** Releases an unproved binding, unless it has changed since it was read. */
export async function releaseSaleWallet(
  transaction: Transaction<EntitiesSchema>,
  saleUuid: string,
  { wallet, entityUuid, permitExpiresAtMs }: SaleWallet,
): Promise<void> {
  await transaction
    .deleteFrom("sale_wallet")
    .where("sale", "=", bytesOfHex(saleUuid))
    .where("wallet", "=", walletColumn(wallet))
    .where("entity", "=", bytesOfHex(entityUuid))
    .where("proved_at_ms", "is", null)
    .where("permit_expires_at_ms", "=", permitExpiresAtMs)
    .execute();
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
