import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import type { Random } from "../../../services/demo/bidders/random.ts";
import type { BidSource } from "./bid-source.ts";
import type { PersistentCaller } from "./persistent-caller.ts";
import { repeat, type SaleLedger } from "./sale-ledger.ts";

const MAX_ROWS = 40;
const READ_INTERVAL_MS = 10;

/** A writer or reader of a sale. */
export interface Actor {
  readonly ledger: SaleLedger;
  readonly caller: PersistentCaller;
  readonly random: Random;
}

/** Applies single rows and batches, and sometimes repeats one with the same request ID, until `over` aborts. */
export async function writeUntil(over: AbortSignal, { ledger, caller, random }: Actor, bids: BidSource): Promise<void> {
  while (!over.aborted) {
    const entry = await ledger.apply(caller, bids.next(random.pick([1, 1, MAX_ROWS])));
    if (random.integer(1, 4) > 1) continue;
    const { revision, repeatedRequest } = await repeat(caller, entry);
    expect({ revision, repeatedRequest }).toEqual({ revision: entry.revision, repeatedRequest: true });
  }
}

/** Reads the public data until `over` aborts. Expects that the revision never decreases. */
export async function readUntil(over: AbortSignal, { ledger, caller }: Actor): Promise<void> {
  let latest = 0n;
  while (!over.aborted) {
    const { revision } = await ledger.observe(caller);
    expect(revision).toBeGreaterThanOrEqual(latest);
    latest = revision;
    await delay(READ_INTERVAL_MS);
  }
}
