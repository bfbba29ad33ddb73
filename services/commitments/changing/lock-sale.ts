import { CompiledQuery } from "kysely";
import { BoundValues } from "../../../common/platform/db/sql/bound-values.ts";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { executeAndCommit, executeBatch, executeNamed } from "../../../common/platform/db/sql/statement-batch.ts";
import { updateStatement } from "../../../common/platform/db/sql/update-statement.ts";
import { bytesOfHex, hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { tickWidth } from "../../../common/sale/definition/tick-width.ts";
import { bigintOf } from "../base/encoding.ts";
import type { NodeRow } from "../base/loaded-nodes.ts";
import { LoadedNodes, type NodeSelection } from "../base/loaded-nodes.ts";
import { SaleNodes, selectNodes } from "../base/sale-nodes.ts";
import {
  decodeSale,
  decodeSaleState,
  encodeSaleState,
  newWriteToken,
  saleNotFound,
  selectSaleAndState,
  type Tx,
} from "../base/sale-rows.ts";
import type { CommitmentsDatabase } from "../base/schema.ts";
import type { ChangingSale } from "./changing-sale.ts";
import type { NodesAtLock, OptimisticApply } from "./optimistic-apply.ts";
import { PendingWrites } from "./pending-writes.ts";
import type { Prefetch } from "./prefetch.ts";

export interface LockSaleDependencies {
  readonly database: CommitmentsDatabase;
  readonly optimisticApply?: OptimisticApply | undefined;
}

/**
 * Locks a sale and reads it, in one message.
 *
 * @throws ServiceError `not_found`.
 */
export async function lockSale(
  { database, optimisticApply }: LockSaleDependencies,
  transaction: Tx,
  saleUuid: string,
  { nodes: selection, appliedRequest, stored }: Prefetch,
): Promise<ChangingSale> {
  const { dialect } = database;
  const nodesAtLock = optimisticApply?.nodesAtLock(saleUuid, selection) ?? selectedNodes(dialect, saleUuid, selection);
  const found = await executeNamed(transaction, dialect, {
    lock: lockStatement(dialect, saleUuid),
    sale: selectSaleAndState(dialect, saleUuid),
    appliedRequest,
    stored,
    nodes: nodesAtLock.statement,
  });
  const [row] = found.sale;
  if (row === undefined) throw saleNotFound(saleUuid);
  const nowMillis = bigintOf(row.now_ms);
  database.clock.note(nowMillis);
  const locked = decodeSaleState(row);
  const state = { ...locked, revision: locked.revision - 1n };
  const tokenBefore = row.write_token === null ? undefined : hexOfBytes(row.write_token);
  const nodes = nodesAtLock.loaded(found.nodes ?? [], state, tokenBefore);
  const sale = decodeSale(row);
  const width = tickWidth(sale.definition);
  const read = async (query: CompiledQuery<NodeRow>) => (await transaction.executeQuery(query)).rows;
  const writes = new PendingWrites((full) => executeBatch(transaction, dialect, full));
  const token = newWriteToken();
  return {
    canRead: true,
    transaction,
    sale,
    state,
    nowMillis,
    nodes: new SaleNodes(dialect, saleUuid, width, nodes, read),
    writes,
    prefetched: { appliedRequest: found.appliedRequest, stored: found.stored },
    tokenBefore,
    token,
    commit: async (next) => {
      const { sale, ...columns } = encodeSaleState(saleUuid, next, token);
      await writes.add([updateStatement(dialect, "sale_state", columns, { sale })]);
      await executeAndCommit(transaction, dialect, await writes.take());
    },
  };
}

function lockStatement(dialect: SqlDialect, saleUuid: string): CompiledQuery {
  const bound = new BoundValues(dialect);
  const text = `update sale_state set revision = revision + 1 where sale = ${bound.one(bytesOfHex(saleUuid))}`;
  return CompiledQuery.raw(text, bound.parameters);
}

/** Reads the selection, and nothing without one. */
export function selectedNodes(
  dialect: SqlDialect,
  saleUuid: string,
  selection: NodeSelection | undefined,
): NodesAtLock {
  if (selection === undefined) return { statement: undefined, loaded: () => LoadedNodes.none() };
  return {
    statement: selectNodes(dialect, saleUuid, selection),
    loaded: (rows) => {
      const nodes = LoadedNodes.none();
      nodes.note(selection, rows);
      return nodes;
    },
  };
}
