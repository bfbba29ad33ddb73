import type { CompiledQuery } from "kysely";
import type { SqlDialect } from "../../shared/db/dialect.ts";
import { updateStatement } from "../../shared/db/update-statement.ts";
import { bytesOfHex, hexOfBytes } from "../../shared/hex.ts";
import { later } from "../domain/history-windows.ts";
import type { SaleState } from "../domain/sale-state.ts";
import type { LockedSale } from "./locked-sale.ts";
import { PendingWrites } from "./pending-writes.ts";
import { clockOf, isTrusted, keepMemory, MAX_NODES_OF_SALE, type SaleMemory, wantsAllNodes } from "./sale-memory.ts";
import { SaleNodes } from "./sale-nodes.ts";
import { encodeSaleState, newWriteToken, type Tx } from "./sale-rows.ts";
import type { CommitmentsDatabase } from "./schema.ts";

/** A sale from memory doesn't do for a change. */
export class NotRemembered extends Error {}

/**
 * A sale to be changed as this process remembers it: nothing is locked or read, and all that is written goes in one message behind
 * `updateRemembered`. Undefined where memory won't do.
 */
export function rememberedSale(
  database: CommitmentsDatabase,
  transaction: Tx,
  memory: SaleMemory | undefined,
): LockedSale | undefined {
  const { dialect } = database;
  const now = clockOf(database).now();
  if (memory?.nodes === undefined || now === undefined || !isTrusted(memory)) return undefined;
  const { sale, state, nodes, changedAtMillis } = memory;
  const refuse = () => {
    throw new NotRemembered("a sale from memory can't be read");
  };
  return {
    get transaction() {
      return refuse();
    },
    sale,
    state,
    // The clock may be told a little less exactly than it was for the change before.
    nowMillis: later(now, changedAtMillis),
    nodes: new SaleNodes(dialect, sale.uuid, nodes, refuse),
    writes: PendingWrites.ofOneMessage(dialect, transaction),
    ahead: [],
    writeToken: newWriteToken(),
    memory,
    isFromMemory: true,
  };
}

/**
 * Writes the state of a sale, if it is as it is remembered. Whoever wrote it since has left another token; one who knows of none,
 * of the version before, another revision, an open change set or another epoch of the lease. The lease itself is prolonged
 * beside all this, and stays as it is.
 */
export function updateRemembered(
  dialect: SqlDialect,
  { state: before, sale, writeToken }: SaleMemory,
  next: SaleState,
  nextToken: Uint8Array,
): CompiledQuery {
  const {
    sale: key,
    lease_holder,
    lease_epoch,
    lease_until_ms,
    ...columns
  } = encodeSaleState(sale.uuid, next, nextToken);
  const asRemembered = {
    sale: key,
    write_token: bytesOfHex(writeToken),
    revision: before.revision,
    lease_epoch: before.lease.epoch,
    change_set: null,
  };
  return updateStatement(dialect, "sale_state", columns, asRemembered);
}

/** Remembers a sale that was just committed; only of a database to which messages are a way. */
export function rememberChange(
  database: CommitmentsDatabase,
  { sale, nodes: { known }, memory, nowMillis, writeToken }: LockedSale,
  state: SaleState,
): void {
  if (database.dialect.messageOf === undefined) return;
  const hasNodes = known.isWhole && known.size <= MAX_NODES_OF_SALE;
  const wantedNodes = memory !== undefined && (memory.nodes !== undefined || wantsAllNodes(memory));
  keepMemory(database, {
    sale,
    state,
    writeToken: hexOfBytes(writeToken),
    changesInARow: (memory?.changesInARow ?? 0) + 1,
    changedAtMillis: nowMillis,
    ...(hasNodes ? { nodes: known } : {}),
    hasTooManyNodes: !hasNodes && (memory?.hasTooManyNodes === true || wantedNodes),
  });
}
