import { CompiledQuery, type SqlBool, sql, type Transaction } from "kysely";
import { type Wallet, walletColumn } from "../../../common/chains/wallet.ts";
import { maySignAsAccount } from "../../../common/chains/wallet-signatures.ts";
import { BoundValues } from "../../../common/platform/db/sql/bound-values.ts";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { lockRowsStatement } from "../../../common/platform/db/sql/lock-rows.ts";
import { tableTarget } from "../../../common/platform/db/sql/table-target.ts";
import { insertStatement } from "../../../common/platform/db/sql/upsert.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import type { EntitiesSchema } from "../base/schema.ts";
import type { SaleWalletTable } from "../base/wallet-tables.ts";
import type { SaleWallet } from "./binding.ts";

/** A wallet that a permit binds to an entity in a sale. */
export interface NewBinding {
  readonly saleUuid: string;
  readonly entityUuid: string;
  readonly wallet: Wallet;
  /** The EIP-155 ID of the sale's chain, 0 where chains have none; undefined if it isn't known. */
  readonly chainId: bigint | undefined;
  /** Whether a signature that counts in the sale has linked the wallet to the entity. */
  readonly isProved: boolean;
  /** The entity to which it is bound until now; undefined: none. */
  readonly holder: string | undefined;
  /** Whether the contract has tied the wallet to the entity, which counts more than a proof of the holder. */
  readonly isContracts: boolean;
  /** The entity's wallets that it loses. */
  readonly releases: readonly SaleWallet[];
  /** The time of the permit, in milliseconds since 1970. */
  readonly boundAtMs: bigint;
  readonly permitExpiresAtMs: bigint;
}

/** The column where the sale's chain isn't known: then only proofs count that do so everywhere. */
const UNKNOWN_CHAIN = 0n;

/** The chain of a row that is compared now, on a chain that isn't known. */
const KEPT_CHAIN = `case when chain_id >= 0 then chain_id else ${UNKNOWN_CHAIN} end`;

const SALE_WALLET = tableTarget<SaleWalletTable>("sale_wallet", {
  sale: "key",
  wallet: "key",
  kind: "value",
  entity: "value",
  bound_at_ms: "value",
  permit_expires_at_ms: "value",
  proved_at_ms: "value",
  chain_id: "value",
});

/**
 * Takes a wallet from the other entity that holds it, and releases those that the entity loses. The transaction has locked the sale
 * (`lockSale`): so two entities can't bind one wallet, and concurrent permits can't exceed the number of wallets.
 *
 * @returns false, without a change, if a signature has proved since that the wallet is the other one's: links are made without
 *   the sale's lock
 */
export async function changeBindings(transaction: Transaction<EntitiesSchema>, binding: NewBinding): Promise<boolean> {
  const { saleUuid, entityUuid, holder, releases } = binding;
  const isForeign = holder !== undefined && holder !== entityUuid;
  if (isForeign && !(await moveSaleWallet(transaction, binding, holder))) return false;
  for (const released of releases) await releaseSaleWallet(transaction, saleUuid, released);
  return true;
}

/**
 * Builds the statements that bind wallets of a sale after `changeBindings`, and lock the entities as `lockEntity` does. No two
 * have the wallet or the entity in common, and all are of one time.
 */
export function bindStatements(dialect: SqlDialect, bindings: readonly NewBinding[]): readonly CompiledQuery[] {
  if (bindings.length === 0) return [];
  const rows = bindings.filter(({ holder }) => holder === undefined).map(newRow);
  const extended = bindings.filter(({ holder, entityUuid }) => holder === entityUuid);
  const alike = Map.groupBy(extended, ({ isProved, permitExpiresAtMs }) => `${isProved} ${permitExpiresAtMs}`);
  const values = bindings.map(({ entityUuid }) => bytesOfHex(entityUuid));
  const lock = lockRowsStatement(dialect, { table: "entity", column: "entity", values });
  return [
    ...(lock === undefined ? [] : [lock]),
    ...(rows.length === 0 ? [] : [insertStatement(dialect, SALE_WALLET, rows)]),
    ...[...alike.values()].map((group) => extendStatement(dialect, group)),
  ];
}

function newRow(binding: NewBinding): SaleWalletTable {
  const { saleUuid, entityUuid, wallet, isProved, boundAtMs, permitExpiresAtMs, chainId } = binding;
  return {
    sale: bytesOfHex(saleUuid),
    wallet: walletColumn(wallet),
    kind: wallet.kind,
    entity: bytesOfHex(entityUuid),
    bound_at_ms: boundAtMs,
    permit_expires_at_ms: permitExpiresAtMs,
    proved_at_ms: isProved ? boundAtMs : null,
    chain_id: chainId ?? UNKNOWN_CHAIN,
  };
}

/** Extends bindings of the same entities, which have their proof and their end in common. A proof and a later end stay. */
function extendStatement(dialect: SqlDialect, bindings: readonly NewBinding[]): CompiledQuery {
  const [{ saleUuid, wallet, boundAtMs, permitExpiresAtMs, isProved, chainId }] = bindings as [NewBinding];
  const bound = new BoundValues(dialect);
  const end = () => bound.one(permitExpiresAtMs);
  const ends = `permit_expires_at_ms = case when permit_expires_at_ms < ${end()} then ${end()} else permit_expires_at_ms end`;
  const noted = notedProof(wallet);
  const proof = `, proved_at_ms = ${isProved ? `coalesce(${noted}, ${bound.one(boundAtMs)})` : noted}`;
  // The last one: MySQL reads columns as they were set before in the same statement.
  const chain = `, chain_id = ${chainId === undefined ? KEPT_CHAIN : bound.one(chainId)}`;
  const sale = `sale = ${bound.one(bytesOfHex(saleUuid))}`;
  const wallets = `wallet in ${bound.list(bindings.map(({ wallet }) => walletColumn(wallet)))}`;
  const entities = `entity in ${bound.list(bindings.map(({ entityUuid }) => bytesOfHex(entityUuid)))}`;
  const text = `update sale_wallet set ${ends}${proof}${chain} where ${sale} and ${wallets} and ${entities}`;
  return CompiledQuery.raw(text, bound.parameters);
}

/** Returns a row's proof, if it is known to count on the sale's chain (`isNotedProof`), else null. */
function notedProof(wallet: Wallet): string {
  return maySignAsAccount(wallet) ? "case when chain_id is null then null else proved_at_ms end" : "proved_at_ms";
}

/**
 * Gives a wallet of another entity to this one.
 *
 * @param holder the other entity, which has no bid; and no proof, unless the contract has tied the wallet to this one
 * @returns false if a signature has proved since that it is the other one's
 */
export async function moveSaleWallet(
  transaction: Transaction<EntitiesSchema>,
  binding: Omit<NewBinding, "holder" | "releases">,
  holder: string,
): Promise<boolean> {
  const { saleUuid, entityUuid, wallet, isProved, boundAtMs, permitExpiresAtMs, chainId, isContracts } = binding;
  const update = transaction
    .updateTable("sale_wallet")
    .set({
      entity: bytesOfHex(entityUuid),
      proved_at_ms: isProved ? boundAtMs : null,
      bound_at_ms: boundAtMs,
      permit_expires_at_ms: permitExpiresAtMs,
      chain_id: chainId ?? UNKNOWN_CHAIN,
    })
    .where("sale", "=", bytesOfHex(saleUuid))
    .where("wallet", "=", walletColumn(wallet))
    .where("entity", "=", bytesOfHex(holder));
  const { numUpdatedRows } = await (isContracts ? update : update.where(hasNoProof(wallet))).executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Releases an unproved binding, unless it has changed since it was read. */
async function releaseSaleWallet(
  transaction: Transaction<EntitiesSchema>,
  saleUuid: string,
  { wallet, entityUuid, permitExpiresAtMs }: SaleWallet,
): Promise<void> {
  await transaction
    .deleteFrom("sale_wallet")
    .where("sale", "=", bytesOfHex(saleUuid))
    .where("wallet", "=", walletColumn(wallet))
    .where("entity", "=", bytesOfHex(entityUuid))
    .where(hasNoProof(wallet))
    .where("permit_expires_at_ms", "=", permitExpiresAtMs)
    .execute();
}

/** Whether a row of a wallet has no proof that counts. */
function hasNoProof(wallet: Wallet) {
  return sql<SqlBool>`${sql.raw(notedProof(wallet))} is null`;
}
