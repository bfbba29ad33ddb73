import { randomUUID } from "node:crypto";
import { Code, ConnectError } from "@connectrpc/connect";
import pRetry from "p-retry";
import { recordMessage } from "../../shared/commitment-record/commitment-message.ts";
import { messageBytes } from "../../shared/encoding/hex.ts";
import { traceRoot } from "../../shared/tracing/tracing.ts";
import type { Difference, Reading, SourceStage } from "../source/source-reader.ts";
import { stageMessage } from "./commitment-message.ts";
import type { CommitmentsClient } from "./commitments-client.ts";
import { OrderedTasks } from "./ordered-tasks.ts";
import { PendingRows } from "./pending-rows.ts";

/** Retries of a call whose outcome isn't known. They repeat the request ID, so that the call is applied once. */
const MAX_RETRIES = 5;
const FIRST_BACKOFF_MS = 50;

export interface PublishTarget {
  readonly saleUuid: string;
  readonly leaseEpoch: bigint;
  /** The revision that the store is known to be at. */
  readonly revision: bigint;
  /** A change set was left open: only another set can follow it. */
  readonly changeSetOpen: boolean;
  /** Rows in one call, at most. */
  readonly maxRows: number;
  /** The stage that was last applied under this lease. */
  readonly stage?: SourceStage;
  /** Whether a reading that changes nothing is applied all the same, to move the position on. */
  readonly movePosition: boolean;
}

export interface Published {
  readonly revision: bigint;
  /** Rows that were written or removed. */
  readonly rows: number;
  /** False where there was nothing to apply. */
  readonly applied: boolean;
}

/**
 * Applies a reading: at once where it fits into one call, else as a change set, so that readers see all of it or nothing.
 * While parts are applied, the reading goes on. Where the iteration of its differences throws, nothing of it shows.
 *
 * @param onRows told after each call how many rows were applied by it.
 * @throws ConnectError `aborted` where lease or revision are no longer those of `target`; SourceFault of the reading.
 */
export async function publish(
  { commitments }: CommitmentsClient,
  target: PublishTarget,
  reading: Reading,
  signal: AbortSignal,
  onRows: (rows: number) => void,
): Promise<Published> {
  const calls = new ApplyCalls(commitments, target, reading, signal, onRows);
  try {
    const applied = await sendAll(calls, target, reading);
    return { revision: calls.revision, rows: calls.rows, applied };
  } finally {
    // A call that is left behind could be applied after what comes next.
    await calls.order.settled();
  }
}

/** @returns false where there was nothing to apply. */
async function sendAll(calls: ApplyCalls, target: PublishTarget, reading: Reading): Promise<boolean> {
  const pending = new PendingRows(target.maxRows);
  for await (const difference of reading.differences) {
    pending.add(difference);
    while (pending.exceedCall) await calls.send(pending.take(), false);
  }
  const isEmpty = !calls.begun && pending.isEmpty;
  const isNeeded = !isEmpty || target.movePosition || target.changeSetOpen || reading.stage !== target.stage;
  if (isNeeded) await calls.send(pending.take(), true);
  await calls.order.done();
  return isNeeded;
}

/** The calls of one reading: one call that is whole in itself, or the parts of one change set. */
class ApplyCalls {
  readonly #commitments: CommitmentsClient["commitments"];
  readonly #target: PublishTarget;
  readonly #reading: Reading;
  readonly #signal: AbortSignal;
  readonly #onRows: (rows: number) => void;
  readonly #changeSetUuid = randomUUID();

  #nextPart = 0;
  /** The calls under way: the service reads and checks a part while it writes the one before. */
  readonly order = new OrderedTasks();
  /** Of the store, after what was applied. */
  revision: bigint;
  /** Rows that were applied. */
  rows = 0;

  constructor(
    commitments: CommitmentsClient["commitments"],
    target: PublishTarget,
    reading: Reading,
    signal: AbortSignal,
    onRows: (rows: number) => void,
  ) {
    this.#commitments = commitments;
    this.#target = target;
    this.#reading = reading;
    this.#signal = signal;
    this.#onRows = onRows;
    this.revision = target.revision;
  }

  get begun(): boolean {
    return this.#nextPart > 0;
  }

  /** Sends a part as soon as few enough are under way. @throws what became of a part before. */
  async send({ upserts, removals }: Difference, last: boolean): Promise<void> {
    const { saleUuid, leaseEpoch, revision } = this.#target;
    const { position, stage } = this.#reading;
    const changeSet = this.#changeSet(last);
    const request = {
      saleUuid,
      requestId: randomUUID(),
      upserts: upserts.map(recordMessage),
      removals: removals.map(messageBytes),
      stage: stageMessage(stage),
      sourcePosition: { height: position.height, hash: messageBytes(position.hash) },
      // A part that isn't the last makes no revision, so that it is the same for all.
      expectedRevision: revision,
      leaseEpoch,
      ...(changeSet === undefined ? {} : { changeSet }),
    };
    const attributes = { "tidemark.sale_uuid": saleUuid, "tidemark.rows": upserts.length + removals.length };
    const call = () =>
      traceRoot("apply reading", { attributes }, () =>
        this.#commitments.applyCommitments(request, { signal: this.#signal }),
      );
    await this.order.begin(async (before) => {
      const applied = await this.#inTurn(call, before);
      this.revision = applied.revision;
      this.rows += upserts.length + removals.length;
      this.#onRows(upserts.length + removals.length);
    });
  }

  #changeSet(last: boolean) {
    const isWhole = last && this.#nextPart === 0 && !this.#target.changeSetOpen;
    if (isWhole) return undefined;
    const part = this.#nextPart;
    this.#nextPart += 1;
    return { changeSetUuid: this.#changeSetUuid, part, last };
  }

  /**
   * Sends a part, at first while the one before it may not be applied yet: arriving too early it is refused, and changes
   * nothing. Only what it comes to after the other counts.
   */
  async #inTurn<Answer>(call: () => Promise<Answer>, before: Promise<void> | undefined): Promise<Answer> {
    if (before === undefined) return this.#untilKnown(call);
    const [first, early] = await Promise.allSettled([before, call()]);
    if (first.status === "rejected") throw first.reason;
    return early.status === "fulfilled" ? early.value : this.#untilKnown(call);
  }

  #untilKnown<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    return pRetry(call, {
      retries: MAX_RETRIES,
      minTimeout: FIRST_BACKOFF_MS,
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
