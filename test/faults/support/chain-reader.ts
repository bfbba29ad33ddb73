import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { Code, ConnectError } from "@connectrpc/connect";
import { expect } from "vitest";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import type { CommitmentsDatabase } from "../../../services/commitments/base/schema.ts";
import type { BidSource, SaleChange } from "./bid-source.ts";
import { applyRequest, type Envelope } from "./sale-ledger.ts";
import type { Actor } from "./writers.ts";

const MAX_ROWS = 20;
const STALE_INTERVAL_MS = 20;
const LEASE = { seconds: 300n, nanos: 0 };

/** Acts as the indexer of a sale: holds the lease, and applies differences and change sets. */
export class ChainReader {
  readonly #actor: Actor;
  readonly #bids: BidSource;
  readonly #epoch: bigint;
  #revision: bigint;
  #height = 0n;
  #hiddenParts = 0;

  private constructor(actor: Actor, bids: BidSource, epoch: bigint, revision: bigint) {
    this.#actor = actor;
    this.#bids = bids;
    this.#epoch = epoch;
    this.#revision = revision;
  }

  /** Takes the lease over from another reader, whose epoch was the first, and applies the first complete snapshot. */
  static async takeOver(actor: Actor, bids: BidSource, database: CommitmentsDatabase): Promise<ChainReader> {
    const { epoch: formerEpoch } = await acquireLease(actor, "former");
    await expireLease(database, actor.ledger.saleUuid);
    const { epoch } = await acquireLease(actor, "reader");
    expect(epoch).toBe(formerEpoch + 1n);
    const reader = new ChainReader(actor, bids, epoch, 2n);
    await reader.#apply(bids.next(MAX_ROWS));
    return reader;
  }

  /** The height of the last difference that was applied completely. */
  get height(): bigint {
    return this.#height;
  }

  /** The number of parts after which a difference was still incomplete. */
  get hiddenParts(): number {
    return this.#hiddenParts;
  }

  /** Applies single differences, change sets in parts, and change sets that it abandons, until `over` aborts. */
  async readUntil(over: AbortSignal): Promise<void> {
    const { random } = this.#actor;
    while (!over.aborted) {
      const { acquired, epoch } = await acquireLease(this.#actor, "reader");
      expect({ acquired, epoch }).toEqual({ acquired: true, epoch: this.#epoch });
      if (random.integer(1, 4) === 1) await this.#applyParts(random.integer(1, 2), false);
      else if (random.integer(1, 2) === 1) await this.#apply(this.#bids.next(MAX_ROWS));
      await this.#applyParts(random.integer(1, 4), true);
    }
  }

  /**
   * Sends applies like a reader that has lost its lease, with the previous epoch or an old revision, until `over` aborts.
   * Expects that each is rejected.
   */
  async sendStaleUntil(over: AbortSignal, { ledger, caller, random }: Actor, bids: BidSource): Promise<void> {
    const stale: Envelope[] = [
      { leaseEpoch: this.#epoch - 1n },
      { leaseEpoch: this.#epoch, expectedRevision: 2n },
      { leaseEpoch: this.#epoch - 1n, changeSet: { changeSetUuid: randomUUID(), part: 0, last: false } },
      {
        leaseEpoch: this.#epoch,
        expectedRevision: 2n,
        changeSet: { changeSetUuid: randomUUID(), part: 0, last: true },
      },
    ];
    while (!over.aborted) {
      const request = applyRequest(ledger.saleUuid, bids.next(MAX_ROWS), random.pick(stale) ?? {});
      const refused = caller.call((client, options) => client.applyCommitments(request, options));
      await expect(refused).rejects.toSatisfy((error) => error instanceof ConnectError && error.code === Code.Aborted);
      await delay(STALE_INTERVAL_MS);
    }
  }

  /** Applies a change set, or all its parts except the last one. */
  async #applyParts(parts: number, finish: boolean): Promise<void> {
    const changeSetUuid = randomUUID();
    const stage = finish ? this.#actor.random.pick(["commitment", "done", undefined] as const) : undefined;
    for (let part = 0; part < parts; part += 1) {
      const last = finish && part === parts - 1;
      const change = { ...this.#bids.next(MAX_ROWS), ...(stage === undefined ? {} : { stage }) };
      await this.#apply(change, { changeSetUuid, part, last });
    }
  }

  async #apply(change: SaleChange, changeSet?: { changeSetUuid: string; part: number; last: boolean }): Promise<void> {
    const { ledger, caller } = this.#actor;
    const { revision, visible } = await ledger.apply(caller, change, {
      leaseEpoch: this.#epoch,
      expectedRevision: this.#revision,
      sourcePosition: { height: this.#height + 1n },
      ...(changeSet === undefined ? {} : { changeSet }),
    });
    expect(revision).toBe(visible ? this.#revision + 1n : this.#revision);
    if (visible) this.#height += 1n;
    else await this.#expectHidden();
    this.#revision = revision;
  }

  /** Expects that the revision hasn't changed. The ledger compares the figures of each revision at the end. */
  async #expectHidden(): Promise<void> {
    const { ledger, caller } = this.#actor;
    const { revision } = await ledger.observe(caller);
    expect(revision).toBe(this.#revision);
    this.#hiddenParts += 1;
  }
}

/** Acquires or renews the lease. Never abandons the call: a late renewal would change the sale when nothing should. */
function acquireLease({ ledger, caller }: Actor, holder: string) {
  const request = { saleUuid: ledger.saleUuid, holder, duration: LEASE };
  return caller.call((client) => client.acquireSaleLease(request));
}

/** Makes the lease of a sale expire at once. */
async function expireLease(database: CommitmentsDatabase, saleUuid: string): Promise<void> {
  const expired = database.query.updateTable("sale_state").set({ lease_until_ms: 0n });
  await expired.where("sale", "=", bytesOfHex(saleUuid)).execute();
}
