import { CompiledQuery } from "kysely";
import { BoundValues } from "../../../shared/db/sql/bound-values.ts";
import type { SqlDialect } from "../../../shared/db/sql/dialect.ts";
import { executeAndCommit, executeBatch, executeNamed } from "../../../shared/db/sql/statement-batch.ts";
import { updateStatement } from "../../../shared/db/sql/update-statement.ts";
import { bytesOfHex, hexOfBytes } from "../../../shared/encoding/hex.ts";
import type { SaleState } from "../../domain/sale/sale-state.ts";
import { MAX_NODES_OF_SALE, type SaleMemory, wantsAllNodes } from "../optimistic-apply/sale-cache.ts";
import { bigintOf } from "../sql/encoding.ts";
import { LoadedNodes, type NodeRow, type NodeSelection } from "../sql/loaded-nodes.ts";
import { PendingWrites } from "../sql/pending-writes.ts";
import { SaleNodes, selectAllNodes, selectNodes } from "../sql/sale-nodes.ts";
import {
  decodeSale,
  decodeSaleState,
  encodeSaleState,
  newWriteToken,
  type SaleAndState,
  saleNotFound,
  selectSaleAndState,
  type Tx,
} from "../sql/sale-rows.ts";
import type { CommitmentsDatabase } from "../sql/schema.ts";
import type { LockedSale } from "./locked-sale.ts";
import type { Prefetch } from "./prefetch.ts";

/**
 * Locks a sale and reads it, in one message.
 *
 * @param memory of the sale, whether it is still so or not
 * @throws ServiceError `not_found`.
 */
export async function lockSale(
  database: CommitmentsDatabase,
  transaction: Tx,
  saleUuid: string,
  { nodes: selection, appliedRequest, stored }: Prefetch,
  memory: SaleMemory | undefined,
): Promise<LockedSale> {
  const { dialect } = database;
  const nodesAhead = selection === undefined ? undefined : nodesToRead(database, saleUuid, selection, memory);
  const found = await executeNamed(transaction, dialect, {
    lock: lockStatement(dialect, saleUuid),
    sale: selectSaleAndState(dialect, saleUuid),
    appliedRequest,
    stored,
    nodes: nodesAhead?.statement,
  });
  const [row] = found.sale;
  if (row === undefined) throw saleNotFound(saleUuid);
  const nowMillis = bigintOf(row.now_ms);
  database.clock.note(nowMillis);
  const locked = decodeSaleState(row);
  const state = { ...locked, revision: locked.revision - 1n };
  const confirmed = memory !== undefined && isAsRemembered(memory, state, row) ? memory : undefined;
  const nodes = nodesAhead?.found(found.nodes ?? []) ?? confirmed?.nodes ?? LoadedNodes.none();
  const writes = new PendingWrites((full) => executeBatch(transaction, dialect, full));
  const writeToken = newWriteToken();
  return {
    transaction,
    sale: decodeSale(row),
    state,
    nowMillis,
    nodes: new SaleNodes(dialect, saleUuid, nodes, async (query) => (await transaction.executeQuery(query)).rows),
    writes,
    prefetched: { appliedRequest: found.appliedRequest, stored: found.stored },
    writeToken,
    memory: confirmed,
    isFromMemory: false,
    commit: async (next) => {
      const { sale, ...columns } = encodeSaleState(saleUuid, next, writeToken);
      await writes.add([updateStatement(dialect, "sale_state", columns, { sale })]);
      await executeAndCommit(transaction, dialect, writes.take());
    },
  };
}

function lockStatement(dialect: SqlDialect, saleUuid: string): CompiledQuery {
  const bound = new BoundValues(dialect);
  const text = `update sale_state set revision = revision + 1 where sale = ${bound.one(bytesOfHex(saleUuid))}`;
  return CompiledQuery.raw(text, bound.parameters);
}

/** A process of the version before leaves the token as it is: its changes show by their revision, or by a set that is open. */
function isAsRemembered(
  { writeToken, state: { revision } }: SaleMemory,
  state: SaleState,
  { write_token: token }: SaleAndState,
): boolean {
  const isSameToken = token !== null && hexOfBytes(token) === writeToken;
  return isSameToken && state.revision === revision && state.changeSet === undefined;
}

interface NodesAhead {
  readonly statement: CompiledQuery<NodeRow>;
  found(rows: readonly NodeRow[]): LoadedNodes;
}

/** The selection; all of them where that is worth it; nothing where they are remembered. */
function nodesToRead(
  database: CommitmentsDatabase,
  saleUuid: string,
  selection: NodeSelection,
  memory: SaleMemory | undefined,
): NodesAhead | undefined {
  const { dialect } = database;
  if (memory?.nodes !== undefined) return undefined;
  if (memory !== undefined && wantsAllNodes(database, memory)) {
    const statement = selectAllNodes(dialect, saleUuid, MAX_NODES_OF_SALE + 1);
    return {
      statement,
      found: (rows) => (rows.length > MAX_NODES_OF_SALE ? LoadedNodes.none() : LoadedNodes.whole(rows)),
    };
  }
  const known = LoadedNodes.none();
  const found = (rows: readonly NodeRow[]) => {
    known.note(selection, rows);
    return known;
  };
  return { statement: selectNodes(dialect, saleUuid, selection), found };
}
