import { setImmediate } from "node:timers";
import { NodeTime } from "./node-time.ts";
import { RpcFault, type RpcFaultKind } from "./rpc-fault.ts";

/** Most calls in a batch at first. Geth takes 1,000, Erigon 100, and providers fewer: see `#learn`. */
const LARGEST_BATCH = 100;
const SHRINK = 4;
/** Limit for a batch. One slow contract must not hold up the others for as long as a request may take. */
const BATCH_LIMIT_MS = 2_000;
/** Time of a call alone from which it is asked apart from others. */
const SLOW_CALL_MS = BATCH_LIMIT_MS / 4;
/** Time for which such calls of a contract, or for a block, are asked apart. */
const APART_MS = 10 * 60_000;
/** Most of them that are remembered. */
const MAX_APART = 1_000;

/** A call that may travel in a batch. */
export interface RpcCall {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly signal: AbortSignal;
  /** Limit for the request, if it is shorter than that of the URL. */
  readonly limitMs: number | undefined;
  /** The contract that it is about, where the parameters don't name it. */
  readonly about?: string | undefined;
}

export interface CallBatchesOptions {
  /** Asks one call. @throws RpcFault; the signal's reason */
  readonly alone: (call: RpcCall, nodeTime: NodeTime | undefined) => Promise<unknown>;
  /**
   * Asks calls in one request and returns the answers in their order, which throw RpcFault.
   *
   * @throws RpcFault for the whole request; any reason once all signals are aborted
   */
  readonly together: (calls: readonly RpcCall[], nodeTime: NodeTime) => Promise<readonly (() => unknown)[]>;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

interface Waiting {
  readonly call: RpcCall;
  readonly nodeTime: NodeTime | undefined;
  readonly answer: PromiseWithResolvers<unknown>;
}

/** A call that was asked alone after a batch. */
interface AskedAlone {
  readonly call: RpcCall;
  readonly outcome: "quick" | "slow" | "failed";
}

/**
 * Sends the small calls of one moment, whichever sales they are of, as one batch of JSON-RPC 2.0 (section 6). Each has the answer that it
 * has alone: whatever may be about the batch instead, such as a time-out, a refused batch or a call without an answer, has its call asked
 * alone. A batch that fails while its calls succeed, or are slow for most contracts, was too large for the URL, and later ones are smaller,
 * down to single calls.
 */
export class CallBatches {
  readonly #options: CallBatchesOptions;
  #waiting: Waiting[] = [];
  #size = LARGEST_BATCH;
  /** Methods with the contracts or blocks that made a batch fail or slow, with the time until which they are asked apart. */
  readonly #apart = new Map<string, number>();

  constructor(options: CallBatchesOptions) {
    this.#options = options;
  }

  /** Forgets which size of batches the URL refused. */
  reset(): void {
    this.#size = LARGEST_BATCH;
  }

  /** The result of a call. @throws RpcFault; the signal's reason once that is aborted */
  async call(call: RpcCall, nodeTime: NodeTime | undefined): Promise<unknown> {
    call.signal.throwIfAborted();
    const waiting = { call, nodeTime, answer: Promise.withResolvers<unknown>() };
    if (this.#size === 1 || this.#isApart(call)) return this.#options.alone(call, nodeTime);
    if (this.#waiting.push(waiting) === 1) setImmediate(() => this.#flush());
    const leave = () => waiting.answer.reject(call.signal.reason);
    call.signal.addEventListener("abort", leave, { once: true });
    try {
      return await waiting.answer.promise;
    } finally {
      call.signal.removeEventListener("abort", leave);
    }
  }

  /** Calls with different limits are apart: those with a shorter one are second questions, which a read can do without. */
  #flush(): void {
    const waiting = this.#waiting.filter(({ call }) => !call.signal.aborted);
    this.#waiting = [];
    for (const group of Map.groupBy(waiting, ({ call }) => call.limitMs).values()) {
      for (let from = 0; from < group.length; from += this.#size) void this.#send(group.slice(from, from + this.#size));
    }
  }

  async #send(batch: readonly Waiting[]): Promise<void> {
    const [first] = batch;
    if (first !== undefined && batch.length === 1) {
      await settle(first.answer, () => this.#options.alone(first.call, first.nodeTime));
      return;
    }
    const unsettled = await this.#together(batch);
    const asked = await Promise.all(unsettled.map((waiting) => this.#afterBatch(waiting)));
    this.#learn(
      batch.length,
      asked.filter((each) => each !== undefined),
    );
  }

  /** Returns those whose answers may be about the batch. */
  async #together(batch: readonly Waiting[]): Promise<readonly Waiting[]> {
    const time = new NodeTime(this.#options.now);
    const calls = batch.map(({ call }) => ({
      ...call,
      limitMs: Math.min(call.limitMs ?? BATCH_LIMIT_MS, BATCH_LIMIT_MS),
    }));
    let answers: readonly (() => unknown)[];
    try {
      answers = await this.#options.together(calls, time);
    } catch (error) {
      // No other refusal of the whole is any call's own: "reverted" would be taken for the answer of each contract.
      const isForEach = kindOf(error) === "rate_limited";
      answers = isForEach ? batch.map(() => thrower(error)) : [];
    }
    for (const { nodeTime } of batch) nodeTime?.add(time.millis / batch.length);
    const settled = batch.map(({ answer }, index) => settleFromBatch(answer, answers[index]));
    if (settled.includes("rate limited")) this.#shrink(batch.length);
    return batch.filter((_, index) => settled[index] === "not settled");
  }

  /** Returns undefined for a call whose caller left too soon for it to be known as slow. */
  async #afterBatch({ call, nodeTime, answer }: Waiting): Promise<AskedAlone | undefined> {
    const time = new NodeTime(this.#options.now);
    const isAnswered = await settle(answer, () => this.#options.alone(call, time));
    nodeTime?.add(time.millis);
    const isSlow = time.millis >= SLOW_CALL_MS;
    if (isAnswered) return { call, outcome: isSlow ? "slow" : "quick" };
    return call.signal.aborted && !isSlow ? undefined : { call, outcome: "failed" };
  }

  /** Finds out from calls that were asked alone what failed: the batch, a few contracts, or the node. */
  #learn(length: number, asked: readonly AskedAlone[]): void {
    if (asked.length === 0) return;
    const atFault = asked.filter(({ outcome }) => outcome !== "quick");
    const isFew = atFault.length * SHRINK <= length;
    if (isFew) for (const { call } of atFault) this.#setApart(call);
    // A node that answers many calls, but slowly, has time for fewer in a batch; one that answers none would for no size.
    const slow = atFault.filter(({ outcome }) => outcome === "slow");
    if (atFault.length === 0 || slow.length * SHRINK > length) this.#shrink(length);
  }

  #shrink(length: number): void {
    this.#size = Math.max(1, Math.min(this.#size, Math.floor(length / SHRINK)));
  }

  #setApart(call: RpcCall): void {
    if (this.#apart.size >= MAX_APART) this.#apart.clear();
    this.#apart.set(subjectOf(call), this.#options.now() + APART_MS);
  }

  #isApart(call: RpcCall): boolean {
    const until = this.#apart.get(subjectOf(call));
    return until !== undefined && this.#options.now() < until;
  }
}

/** Settles a call by what it has in a batch, unless that may be about the batch. A node that limits rates isn't asked again at once. */
function settleFromBatch(
  answer: PromiseWithResolvers<unknown>,
  result: (() => unknown) | undefined,
): "settled" | "rate limited" | "not settled" {
  if (result === undefined) return "not settled";
  try {
    answer.resolve(result());
    return "settled";
  } catch (error) {
    const kind = kindOf(error);
    if (kind !== "reverted" && kind !== "rate_limited") return "not settled";
    answer.reject(error);
    return kind === "reverted" ? "settled" : "rate limited";
  }
}

function kindOf(error: unknown): RpcFaultKind | undefined {
  return error instanceof RpcFault ? error.kind : undefined;
}

function thrower(error: unknown): () => never {
  return () => {
    throw error;
  };
}

/** Returns whether the call was answered. */
async function settle(answer: PromiseWithResolvers<unknown>, ask: () => Promise<unknown>): Promise<boolean> {
  try {
    answer.resolve(await ask());
    return true;
  } catch (error) {
    answer.reject(error);
    return false;
  }
}

/** Method and contract of a call, or the block that it asks for: one that is slow says nothing of others. */
function subjectOf({ method, params, about }: RpcCall): string {
  const [first] = params as readonly (string | { readonly to?: unknown; readonly address?: unknown } | undefined)[];
  return `${method} ${typeof first === "string" ? first : (first?.to ?? first?.address ?? about)}`;
}
