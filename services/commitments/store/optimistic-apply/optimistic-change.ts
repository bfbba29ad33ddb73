import type { CompiledQuery } from "kysely";
import type { SqlDialect } from "../../../shared/db/sql/dialect.ts";
import { updateStatement } from "../../../shared/db/sql/update-statement.ts";
import { bytesOfHex, hexOfBytes } from "../../../shared/encoding/hex.ts";
import { later } from "../../domain/figures/history-windows.ts";
import type { Sale } from "../../domain/sale/sale.ts";
import type { SaleState } from "../../domain/sale/sale-state.ts";
import type { LockedSale } from "../apply/locked-sale.ts";
import type { LoadedNodes } from "../sql/loaded-nodes.ts";
import { PendingWrites } from "../sql/pending-writes.ts";
import { SaleNodes } from "../sql/sale-nodes.ts";
import { encodeSaleState, newWriteToken } from "../sql/sale-rows.ts";
import type { CommitmentsDatabase } from "../sql/schema.ts";
import { keepMemory, MAX_NODES_OF_SALE, type SaleMemory, takeTrusted, wantsAllNodes } from "./sale-cache.ts";

/** A sale from memory doesn't do for a change. */
export class NotRemembered extends Error {}

/**
 * A sale to be changed as this process remembers it, without locking or reading anything; undefined where memory won't do. It
 * is forgotten until its change is committed.
 */
export function rememberedSale(database: CommitmentsDatabase, saleUuid: string): LockedSale | undefined {
  const now = database.clock.now();
  if (now === undefined) return undefined;
  const memory = takeTrusted(database, saleUuid);
  return memory?.nodes === undefined ? undefined : new RememberedSale(database, memory, memory.nodes, now);
}

class RememberedSale implements LockedSale {
  readonly memory: SaleMemory;
  readonly sale: Sale;
  readonly state: SaleState;
  readonly nowMillis: bigint;
  readonly nodes: SaleNodes;
  readonly writes = new PendingWrites(refuseLength);
  readonly prefetched = {};
  readonly writeToken = newWriteToken();
  readonly isFromMemory = true;
  readonly #database: CommitmentsDatabase;

  constructor(database: CommitmentsDatabase, memory: SaleMemory, nodes: LoadedNodes, now: bigint) {
    this.#database = database;
    this.memory = memory;
    this.sale = memory.sale;
    this.state = memory.state;
    // The clock may be told a little less exactly than it was for the change before.
    this.nowMillis = later(now, memory.changedAtMillis);
    this.nodes = new SaleNodes(database.dialect, memory.sale.uuid, nodes, refuseToRead);
  }

  get transaction(): never {
    return refuseToRead();
  }

  async commit(next: SaleState): Promise<void> {
    const update = updateRemembered(this.#database.dialect, this.memory, next, this.writeToken);
    await this.#database.transact([update, ...this.writes.take()]);
  }
}

async function refuseLength(): Promise<never> {
  throw new NotRemembered("the writes are too long for one message");
}

function refuseToRead(): never {
  throw new NotRemembered("a sale from memory can't be read");
}

/**
 * Writes the state of a sale, if it is as it is remembered. Whoever wrote it since has left another token; one who knows of none,
 * of the version before, another revision, an open change set or another epoch of the lease. The lease itself is prolonged
 * beside all this, and stays as it is.
 */
function updateRemembered(
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
  const isSmall = known.isWhole && known.size <= MAX_NODES_OF_SALE;
  const wantedNodes = memory !== undefined && (memory.nodes !== undefined || wantsAllNodes(database, memory));
  keepMemory(database, {
    sale,
    state,
    writeToken: hexOfBytes(writeToken),
    changesInARow: (memory?.changesInARow ?? 0) + 1,
    changedAtMillis: nowMillis,
    // While a change set is open nothing that is remembered is confirmed.
    ...(isSmall && state.changeSet === undefined ? { nodes: known } : {}),
    hasTooManyNodes: !isSmall && (memory?.hasTooManyNodes === true || wantedNodes),
  });
}
