import type { Sale } from "../../domain/sale/sale.ts";
import type { SaleState } from "../../domain/sale/sale-state.ts";
import type { LoadedNodes } from "../sql/loaded-nodes.ts";
import type { CommitmentsDatabase } from "../sql/schema.ts";

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
  readonly nodes?: LoadedNodes;
  readonly hasTooManyNodes: boolean;
}

/** Until a process goes by what it remembers of a sale: one that shares its changes with another would do so in vain. */
const CHANGES_UNTIL_TRUSTED = 3;
/** So many times as many after each time that it was in vain, as it is where most commitments are changed again. */
const MORE_AFTER_FAILURE = 2;
const MOST_UNTIL_TRUSTED = 1_000;

/** What a process remembers of the sales of one database. */
class SaleMemories {
  readonly #memories = new Map<string, SaleMemory>();
  /** Of sales that were gone by in vain: changes in a row until that is tried again. */
  readonly #patience = new Map<string, number>();
  #nodes = 0;

  /** How many changes in a row a sale takes before it is gone by what is remembered. */
  patience(saleUuid: string): number {
    return this.#patience.get(saleUuid) ?? CHANGES_UNTIL_TRUSTED;
  }

  distrust(saleUuid: string): void {
    const patience = Math.min(this.patience(saleUuid) * MORE_AFTER_FAILURE, MOST_UNTIL_TRUSTED);
    this.#patience.delete(saleUuid);
    this.#patience.set(saleUuid, patience);
    const [oldest] = this.#patience.keys();
    if (this.#patience.size > MAX_SALES && oldest !== undefined) this.#patience.delete(oldest);
  }

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
    // It was gone by as often as had been waited for: whatever it was is over.
    if (memory.changesInARow >= 2 * this.patience(saleUuid)) this.#patience.delete(saleUuid);
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

/** As `takeMemory`, but only where it is likely that the sale is still so, and enough is known to change it. */
export function takeTrusted(database: CommitmentsDatabase, saleUuid: string): SaleMemory | undefined {
  const memory = memories(database).get(saleUuid);
  if (memory?.nodes === undefined || memory.state.changeSet !== undefined) return undefined;
  const isTrusted = memory.changesInARow >= memories(database).patience(saleUuid);
  return isTrusted ? takeMemory(database, saleUuid) : undefined;
}

/** What was remembered of a sale wasn't so, or not enough: it takes longer until it is gone by again. */
export function distrust(database: CommitmentsDatabase, saleUuid: string): void {
  memories(database).distrust(saleUuid);
}

/** Whether the next change is to read all nodes, so that the one after it can go by memory. */
export function wantsAllNodes(database: CommitmentsDatabase, memory: SaleMemory): boolean {
  const { sale, changesInARow, nodes, hasTooManyNodes } = memory;
  return nodes === undefined && !hasTooManyNodes && changesInARow >= memories(database).patience(sale.uuid) - 1;
}

export function keepMemory(database: CommitmentsDatabase, memory: SaleMemory): void {
  memories(database).keep(memory.sale.uuid, memory);
}
