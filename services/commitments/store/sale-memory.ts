import { DatabaseClock } from "../../shared/db/database-clock.ts";
import type { Sale } from "../domain/sale.ts";
import type { SaleState } from "../domain/sale-state.ts";
import type { KnownNodes } from "./known-nodes.ts";
import type { CommitmentsDatabase } from "./schema.ts";

/** Sums by price that are kept of one sale at most; of one with more, none are. */
export const MAX_NODES_OF_SALE = 4_096;
/** Of all sales together: about 200 bytes each. */
const MAX_NODES = 65_536;
const MAX_SALES = 1_000;

/**
 * A sale as this process has committed it. It is what the database has while the sale's row bears the same write token:
 * whoever changes the sale writes another one, and a restored row bears an older one.
 */
export interface SaleMemory {
  readonly sale: Sale;
  readonly state: SaleState;
  /** Hex. */
  readonly writeToken: string;
  /** Changes that this process has made one after another, without one of another process between them. */
  readonly changesInARow: number;
  /** The time of the last one; see `LockedSale.nowMillis`. */
  readonly changedAtMillis: bigint;
  /** All of them; absent where they weren't read, or are too many. */
  readonly nodes?: KnownNodes;
  readonly hasTooManyNodes: boolean;
}

/** A process that shares a sale's changes with another one would go by memory in vain every other time. */
const CHANGES_UNTIL_TRUSTED = 3;

/** Whether it is likely that the sale is still so, and enough is known to change it. */
function isTrusted({ changesInARow, nodes, state }: SaleMemory): boolean {
  return changesInARow >= CHANGES_UNTIL_TRUSTED && nodes !== undefined && state.changeSet === undefined;
}

/** Whether the next change is to read all nodes. */
export function wantsAllNodes({ changesInARow, nodes, hasTooManyNodes }: SaleMemory): boolean {
  return changesInARow >= CHANGES_UNTIL_TRUSTED - 1 && nodes === undefined && !hasTooManyNodes;
}

/** What a process remembers of the sales of one database. */
class SaleMemories {
  readonly clock = new DatabaseClock();
  readonly #memories = new Map<string, SaleMemory>();
  #nodes = 0;

  get(saleUuid: string): SaleMemory | undefined {
    return this.#memories.get(saleUuid);
  }

  take(saleUuid: string): SaleMemory | undefined {
    const memory = this.#memories.get(saleUuid);
    this.#memories.delete(saleUuid);
    this.#nodes -= memory?.nodes?.size ?? 0;
    return memory;
  }

  /** Forgets those that weren't changed for longest where there are too many. */
  keep(saleUuid: string, memory: SaleMemory): void {
    this.take(saleUuid);
    this.#memories.set(saleUuid, memory);
    this.#nodes += memory.nodes?.size ?? 0;
    for (const oldest of this.#memories.keys()) {
      if (this.#memories.size <= MAX_SALES && this.#nodes <= MAX_NODES) break;
      this.take(oldest);
    }
  }
}

const memoriesOf = new WeakMap<CommitmentsDatabase, SaleMemories>();

function memories(database: CommitmentsDatabase): SaleMemories {
  const present = memoriesOf.get(database);
  if (present !== undefined) return present;
  const made = new SaleMemories();
  memoriesOf.set(database, made);
  return made;
}

/** What is remembered of a sale, which is forgotten: only a change that has succeeded leaves it as it was, or as it is now. */
export function takeMemory(database: CommitmentsDatabase, saleUuid: string): SaleMemory | undefined {
  return memories(database).take(saleUuid);
}

/** As `takeMemory`, but only what may be gone by. */
export function takeTrusted(database: CommitmentsDatabase, saleUuid: string): SaleMemory | undefined {
  const memory = memories(database).get(saleUuid);
  return memory !== undefined && isTrusted(memory) ? takeMemory(database, saleUuid) : undefined;
}

export function keepMemory(database: CommitmentsDatabase, memory: SaleMemory): void {
  memories(database).keep(memory.sale.uuid, memory);
}

/** The clock of a database, as its changes have told it. */
export function clockOf(database: CommitmentsDatabase): DatabaseClock {
  return memories(database).clock;
}
