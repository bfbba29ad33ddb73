import { CompiledQuery } from "kysely";
import { BoundValues } from "../../../../common/platform/db/sql/bound-values.ts";
import type { SqlDialect } from "../../../../common/platform/db/sql/dialect.ts";
import { bytesOfHex } from "../../../../common/platform/encoding/hex.ts";
import type { SaleState } from "../../base/domain/sale-state.ts";
import { encodeSaleState } from "../../base/sale-rows.ts";
import type { SaleStateTable } from "../../base/schema.ts";
import type { CachedSale } from "./sale-cache.ts";

/** The NOT NULL column that a refused lock would set to null. */
export const REFUSED_COLUMN = "revision";

/**
 * Builds the statements that write a sale's state, or fail because `revision` would become null if the stored sale isn't the
 * cached one. They must come first in their transaction.
 */
export function optimisticLock(
  dialect: SqlDialect,
  cached: CachedSale,
  next: SaleState,
  nextToken: string,
): readonly [CompiledQuery, CompiledQuery] {
  const row = encodeSaleState(cached.sale.uuid, next, nextToken);
  return [updateIfCached(new BoundValues(dialect), cached, row), refuseIfNotUpdated(new BoundValues(dialect), row)];
}

/**
 * Updates the row. The condition decides whether `revision` gets a number or null. It names more than the token, as processes of
 * an older version write none: their changes show by revision or change set. The lease is prolonged without a token and keeps
 * its columns; another holder shows by the epoch.
 */
function updateIfCached(bound: BoundValues, { state, token }: CachedSale, row: SaleStateTable): CompiledQuery {
  const { sale, generation, revision, lease_holder, lease_epoch, lease_until_ms, ...columns } = row;
  // MySQL assigns from left to right: `revision` must come before the columns of its own condition.
  const assignments = [
    `generation = ${bound.one(generation)}`,
    `revision = case when write_token = ${bound.one(bytesOfHex(token))} and revision = ${bound.one(state.revision)}` +
      ` and lease_epoch = ${bound.one(state.lease.epoch)} and change_set is null then ${bound.one(revision)} end`,
    ...Object.entries(columns).map(([name, value]) => `${name} = ${bound.one(value)}`),
  ];
  const text = `update sale_state set ${assignments.join(", ")} where sale = ${bound.one(sale)}`;
  return CompiledQuery.raw(text, bound.parameters);
}

/** Refuses a sale that isn't stored any more, by the same rule: an update that finds no row would succeed. */
function refuseIfNotUpdated(bound: BoundValues, row: SaleStateTable): CompiledQuery {
  const values = Object.entries(row).map(([name, value]) => (name === REFUSED_COLUMN ? "null" : bound.one(value)));
  const isUpdated = `sale = ${bound.one(row.sale)} and write_token = ${bound.one(row.write_token)}`;
  const text =
    `insert into sale_state (${Object.keys(row).join(", ")}) select ${values.join(", ")} from (select 1) as one` +
    ` where not exists (select 1 from sale_state where ${isUpdated})`;
  return CompiledQuery.raw(text, bound.parameters);
}
