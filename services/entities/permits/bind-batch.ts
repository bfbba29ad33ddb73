import { CompiledQuery } from "kysely";
import { walletColumn } from "../../../common/chains/wallet.ts";
import { BoundValues } from "../../../common/platform/db/sql/bound-values.ts";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { lockRowsStatement } from "../../../common/platform/db/sql/lock-rows.ts";
import { tableTarget } from "../../../common/platform/db/sql/table-target.ts";
import { insertStatement } from "../../../common/platform/db/sql/upsert.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import type { SaleWalletTable } from "../base/wallet-tables.ts";
import type { BindingFacts, BindingJudgement } from "../wallets/binding.ts";

/** A wallet that a permit binds, and who has it before. */
export interface BatchedBinding {
  readonly facts: BindingFacts;
  readonly saleUuid: string;
  /** Milliseconds since 1970. */
  readonly permitExpiresAtMs: bigint;
}

const SALE_WALLET = tableTarget<SaleWalletTable>("sale_wallet", {
  sale: "key",
  wallet: "key",
  kind: "value",
  entity: "value",
  bound_at_ms: "value",
  permit_expires_at_ms: "value",
  proved_at_ms: "value",
});

/** Whether an allowed use changes nothing but the wallet's own row, which is nobody else's. */
export function isPlainBinding(
  { binding, entityUuid }: BindingFacts,
  { releases }: Extract<BindingJudgement, { readonly kind: "allowed" }>,
): boolean {
  return releases.length === 0 && (binding === undefined || binding.entityUuid === entityUuid);
}

/**
 * Builds the statements that bind wallets of a sale as `bindWallet` does, where each is a plain binding and no two have the
 * wallet or the entity in common, and that lock the entities as `lockEntity` does. The transaction has locked the sale.
 */
export function bindStatements(
  dialect: SqlDialect,
  bindings: readonly BatchedBinding[],
  nowMs: bigint,
): readonly CompiledQuery[] {
  const rows = bindings.filter(({ facts }) => facts.binding === undefined).map((binding) => newRow(binding, nowMs));
  const extended = bindings.filter(({ facts }) => facts.binding !== undefined);
  const alike = Map.groupBy(extended, ({ facts, permitExpiresAtMs }) => `${facts.isLinked} ${permitExpiresAtMs}`);
  const lock = lockStatement(dialect, bindings);
  return [
    ...(lock === undefined ? [] : [lock]),
    ...(rows.length === 0 ? [] : [insertStatement(dialect, SALE_WALLET, rows)]),
    ...[...alike.values()].map((group) => extendStatement(dialect, group, nowMs)),
  ];
}

function lockStatement(dialect: SqlDialect, bindings: readonly BatchedBinding[]): CompiledQuery | undefined {
  if (bindings.length === 0) return undefined;
  const values = bindings.map(({ facts }) => bytesOfHex(facts.entityUuid));
  return lockRowsStatement(dialect, { table: "entity", column: "entity", values });
}

function newRow({ facts, saleUuid, permitExpiresAtMs }: BatchedBinding, nowMs: bigint): SaleWalletTable {
  const { entityUuid, wallet, isLinked } = facts;
  return {
    sale: bytesOfHex(saleUuid),
    wallet: walletColumn(wallet),
    kind: wallet.kind,
    entity: bytesOfHex(entityUuid),
    bound_at_ms: nowMs,
    permit_expires_at_ms: permitExpiresAtMs,
    proved_at_ms: isLinked ? nowMs : null,
  };
}

/** The statement of `extendSaleWallets`, for bindings that have their proof and their end in common. */
function extendStatement(dialect: SqlDialect, bindings: readonly BatchedBinding[], nowMs: bigint): CompiledQuery {
  const [
    {
      saleUuid,
      permitExpiresAtMs,
      facts: { isLinked },
    },
  ] = bindings as [BatchedBinding];
  const bound = new BoundValues(dialect);
  const end = () => bound.one(permitExpiresAtMs);
  const ends = `permit_expires_at_ms = case when permit_expires_at_ms < ${end()} then ${end()} else permit_expires_at_ms end`;
  const proof = isLinked ? `, proved_at_ms = coalesce(proved_at_ms, ${bound.one(nowMs)})` : "";
  const sale = `sale = ${bound.one(bytesOfHex(saleUuid))}`;
  const wallets = `wallet in ${bound.list(bindings.map(({ facts }) => walletColumn(facts.wallet)))}`;
  const entities = `entity in ${bound.list(bindings.map(({ facts }) => bytesOfHex(facts.entityUuid)))}`;
  const text = `update sale_wallet set ${ends}${proof} where ${sale} and ${wallets} and ${entities}`;
  return CompiledQuery.raw(text, bound.parameters);
}
