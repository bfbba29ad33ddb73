import { type Kysely, sql, type Transaction } from "kysely";
import { type Wallet, walletColumn, walletOfRow } from "../../../common/chains/wallet.ts";
import { maySignAsAccount } from "../../../common/chains/wallet-signatures.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import type { EntitiesSchema } from "../base/schema.ts";
import type { SaleWalletTable } from "../base/wallet-tables.ts";
import type { SaleWallet } from "./binding.ts";
import { fromCountingLinks } from "./counting-links.ts";
import { EVERY_CHAIN, type ProofChain } from "./proof-chain.ts";

/** A wallet of an entity in a sale. */
export interface SaleWalletKey {
  readonly saleUuid: string;
  readonly entityUuid: string;
  readonly wallet: Wallet;
}

/** A row, and when the same wallet was linked to the same entity; null if it isn't, or its link doesn't count in the sale. */
export type SaleWalletRow = SaleWalletTable & { readonly linked_at_ms: bigint | string | null };

/** A sale, and the EIP-155 ID of its chain; undefined if that isn't known. */
export interface SaleOnChain {
  readonly saleUuid: string;
  readonly chainId?: bigint;
}

/** Returns the wallets that permits have bound to an entity in a sale. */
export async function readSaleWallets(
  query: Kysely<EntitiesSchema>,
  { saleUuid, chainId }: SaleOnChain,
  entityUuid: string,
): Promise<readonly SaleWallet[]> {
  const rows = await withLinks(query, chainId)
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
  { saleUuid, chainId }: SaleOnChain,
  wallet: Wallet,
): Promise<SaleWallet | undefined> {
  const row = await withLinks(query, chainId)
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

/** Returns the wallets that permits have bound to some entities, the latest first. */
export async function readWalletsInSales(
  query: Kysely<EntitiesSchema>,
  entityUuids: readonly string[],
  limit: number,
): Promise<readonly SaleWalletKey[]> {
  if (entityUuids.length === 0) return [];
  const rows = await query
    .selectFrom("sale_wallet")
    .select(["sale", "entity", "wallet", "kind"])
    .where("entity", "in", entityUuids.map(bytesOfHex))
    .orderBy("bound_at_ms", "desc")
    .orderBy("sale")
    .orderBy("wallet")
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    saleUuid: uuidFromBytes(row.sale),
    entityUuid: uuidFromBytes(row.entity),
    wallet: walletOfRow(row),
  }));
}

/** A signature that has shown that a wallet is an entity's, and where that counts. */
export interface WalletProof {
  readonly entityUuid: string;
  readonly wallet: Wallet;
  readonly chain: ProofChain;
}

/** `chain_id` of an earlier version's row whose proof counts: the contract hasn't been asked yet whose the wallet is. */
export const NOT_COMPARED = -1n;

/** Notes a proof in all sales where it counts and a permit has bound the wallet to the entity. */
export async function markProved(
  transaction: Transaction<EntitiesSchema>,
  { entityUuid, wallet, chain }: WalletProof,
  nowMs: bigint,
): Promise<void> {
  const update = transaction
    .updateTable("sale_wallet")
    .set({ proved_at_ms: nowMs })
    .where("entity", "=", bytesOfHex(entityUuid))
    .where("wallet", "=", walletColumn(wallet))
    .where("kind", "=", wallet.kind);
  const unproved = update.where("proved_at_ms", "is", null);
  if (chain !== EVERY_CHAIN) {
    await unproved.where("chain_id", "=", chain).execute();
    return;
  }
  await unproved.execute();
  // What an earlier version has noted as proved may have been signed by an account of another chain, and now it wasn't.
  if (maySignAsAccount(wallet)) await update.set({ chain_id: NOT_COMPARED }).where("chain_id", "is", null).execute();
}

/** Bindings with the link of the same wallet to the same entity, if it counts on a chain. */
function withLinks(query: Kysely<EntitiesSchema>, chainId: bigint | undefined) {
  const linkedAt = sql<SaleWalletRow["linked_at_ms"]>`${sql.raw(selectLinkedAt(chainId))}`;
  return query.selectFrom("sale_wallet").selectAll("sale_wallet").select(linkedAt.as("linked_at_ms"));
}

/** Bindings with the link of the same wallet to the same entity, if it counts on a chain. */
export function selectBindings(chainId: bigint | undefined): string {
  return `select sale_wallet.*, ${selectLinkedAt(chainId)} as linked_at_ms from sale_wallet`;
}

function selectLinkedAt(chainId: bigint | undefined): string {
  return `(select max(wallet_link.linked_at_ms) ${fromCountingLinks(chainId)} and wallet_link.entity = sale_wallet.entity
    and wallet_link.kind = sale_wallet.kind and wallet_link.wallet = sale_wallet.wallet)`;
}

export function saleWalletOfRow(row: SaleWalletRow): SaleWallet {
  return {
    wallet: walletOfRow(row),
    entityUuid: uuidFromBytes(row.entity),
    isProved: isNotedProof(row) || row.linked_at_ms !== null,
    isCompared: row.chain_id !== null && BigInt(row.chain_id) !== NOT_COMPARED,
    boundAtMs: BigInt(row.bound_at_ms),
    permitExpiresAtMs: BigInt(row.permit_expires_at_ms),
  };
}

/** Whether a row's proof counts: not without a chain, where it may be that of a smart account of another one. */
function isNotedProof(row: SaleWalletTable): boolean {
  return row.proved_at_ms !== null && (row.chain_id !== null || !maySignAsAccount(row));
}
