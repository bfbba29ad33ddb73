import { randomUUID } from "node:crypto";
import { Code, ConnectError } from "@connectrpc/connect";
import pRetry from "p-retry";
import type { Difference, Snapshot } from "../../../common/contracts/source-snapshot.ts";
import { messageBytes } from "../../../common/platform/encoding/hex.ts";
import { traceRoot } from "../../../common/platform/tracing/tracing.ts";
import { recordMessage } from "../../../common/sale/record/commitment-message.ts";
import { type SaleStage, stageMessage } from "../../../common/sale/state/stage.ts";
import { FIRST_APPLY_BACKOFF_MS } from "../base/lifetimes.ts";
import type { CommitmentsClient } from "./commitments-client.ts";
import { OrderedTasks } from "./ordered-tasks.ts";

/** Retries of a call whose outcome isn't known. They repeat the request ID, so that the call is applied once. */
const MAX_RETRIES = 5;

export interface PublishTarget {
  readonly saleUuid: string;
  readonly leaseEpoch: bigint;
  /** The store's current revision. */
  readonly revision: bigint;
  /** Whether a change set was left open. Then only another change set can follow it. */
  readonly changeSetOpen: boolean;
  /** Most rows in one call. */
  readonly maxRows: number;
  /** The stage that was last applied under this lease. */
  readonly stage?: SaleStage;
  /** The totals of allocations that were last applied under this lease; see `totalsText`. */
  readonly allocationTotals?: string;
  /** Whether to apply a snapshot that changes nothing, so that the stored position moves. */
  readonly movePosition: boolean;
}

/** The calls that apply one snapshot: a single call, or the parts of a change set. */
export class ApplyCalls {
  readonly #commitments: CommitmentsClient["commitments"];
  readonly #target: PublishTarget;
  readonly #snapshot: Snapshot;
  readonly #signal: AbortSignal;
  readonly #onRows: (rows: number) => void;
  readonly #changeSetUuid = randomUUID();
  /** Two calls may run at once: the service reads and checks a part while it writes the previous one. */
  readonly #order = new OrderedTasks();
  #nextPart = 0;
  #revision: bigint;
  #rows = 0;

  constructor(
    commitments: CommitmentsClient["commitments"],
    target: PublishTarget,
    snapshot: Snapshot,
    signal: AbortSignal,
    onRows: (rows: number) => void,
  ) {
    this.#commitments = commitments;
    this.#target = target;
    this.#snapshot = snapshot;
    this.#signal = signal;
    this.#onRows = onRows;
    this.#revision = target.revision;
  }

  /** Whether a part of a change set was sent. */
  get begun(): boolean {
    return this.#nextPart > 0;
  }

  /** Whether `send` begins a call at once. */
  get hasRoom(): boolean {
    return this.#order.hasRoom;
  }

  /** The store's revision after the calls so far. */
  get revision(): bigint {
    return this.#revision;
  }

  /** Number of rows applied so far. */
  get rows(): number {
    return this.#rows;
  }

  /** Sends a part once fewer than two others are running. @throws the failure of an earlier part. */
  async send({ upserts, removals }: Difference, last: boolean): Promise<void> {
    const { saleUuid, leaseEpoch, revision } = this.#target;
    const { position, stage, allocationTotals } = this.#snapshot;
    const changeSet = this.#changeSet(last);
    const request = {
      saleUuid,
      requestId: randomUUID(),
      upserts: upserts.map(recordMessage),
      removals: removals.map(messageBytes),
      stage: stageMessage(stage),
      sourcePosition: { height: position.height, hash: messageBytes(position.hash) },
      // The same for all parts, because only the last one makes a revision.
      expectedRevision: revision,
      leaseEpoch,
      ...(changeSet === undefined ? {} : { changeSet }),
      ...(allocationTotals && { allocationTotals: totalsMessage(allocationTotals) }),
    };
    const rows = upserts.length + removals.length;
    const attributes = { "tidemark.sale_uuid": saleUuid, "tidemark.rows": rows };
    const call = () =>
      traceRoot("apply snapshot", { attributes }, () =>
        this.#commitments.applyCommitments(request, { signal: this.#signal }),
      );
    await this.#order.begin(async (previous) => {
      const applied = await this.#callAfter(previous, call);
      this.#revision = applied.revision;
      this.#rows += rows;
      this.#onRows(rows);
    });
  }

  /** Waits until all calls have succeeded. @throws the failure of one of them. */
  done(): Promise<void> {
    return this.#order.done();
  }

  /** Waits until no call is running. */
  settled(): Promise<void> {
    return this.#order.settled();
  }

  #changeSet(last: boolean) {
    const isWhole = last && this.#nextPart === 0 && !this.#target.changeSetOpen;
    if (isWhole) return undefined;
    const part = this.#nextPart;
    this.#nextPart += 1;
    return { changeSetUuid: this.#changeSetUuid, part, last };
  }

  /**
   * Sends a part while the previous one may still be running. If it arrives too early, the service refuses it and changes
   * nothing; then it is sent again after the previous part.
   */
  async #callAfter<Answer>(previous: Promise<void> | undefined, call: () => Promise<Answer>): Promise<Answer> {
    if (previous === undefined) return this.#untilKnown(call);
    const [first, early] = await Promise.allSettled([previous, call()]);
    if (first.status === "rejected") throw first.reason;
    return early.status === "fulfilled" ? early.value : this.#untilKnown(call);
  }

  /** Repeats a call until its outcome is known. */
  #untilKnown<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    return pRetry(call, {
      retries: MAX_RETRIES,
      minTimeout: FIRST_APPLY_BACKOFF_MS,
      randomize: true,
      shouldRetry: ({ error }) => isUnknownOutcome(error),
      signal: this.#signal,
    });
  }
}

function isUnknownOutcome(error: unknown): boolean {
  const { code } = ConnectError.from(error);
  return code === Code.Unavailable || code === Code.DeadlineExceeded || code === Code.Internal || code === Code.Unknown;
}

function totalsMessage(totals: ReadonlyMap<string, bigint>) {
  return { accepted: [...totals].map(([token, amount]) => ({ token, amount: amount.toString() })) };
}
