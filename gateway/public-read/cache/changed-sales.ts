import type { SaleRevision } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";

/**
 * Longest time of a call whose answer is used, and the time before a question from which the next answer has all changes, so that sales
 * whose own answers were under way meanwhile belong to it. The commitments service lists changes from 15 s before its own time of the
 * call before.
 */
const MAX_CALL_MS = 5_000;
const OVERLAP_MS = 5_000;
/** Time until a service of an older version, without the method, is asked again. */
const RETRY_ABSENT_MS = 60_000;

/** The changes of all sales between two times of the gateway's clock. */
export interface ChangedSince {
  readonly since: number;
  readonly askedAt: number;
  /** The changed sales, with their revision; undefined where a sale can't be read any more. */
  readonly changed: ReadonlyMap<string, SaleRevision | undefined>;
}

/** An answer of `ListChangedSales`. */
export interface ChangedSalesAnswer {
  readonly changed: ReadonlyMap<string, SaleRevision | undefined>;
  readonly complete: boolean;
  readonly cursor: string;
}

export interface ChangedSalesOptions {
  /** Returns "absent" for a service without the method. @throws ConnectError */
  readonly list: (cursor: string) => Promise<ChangedSalesAnswer | "absent">;
  /** Monotonic clock in milliseconds. */
  readonly now: () => number;
}

/** Asks which sales have changed since the question before, in one call for all of them. */
export class ChangedSales {
  readonly #options: ChangedSalesOptions;
  #last: { readonly cursor: string; readonly askedAt: number } | undefined;
  #isAsking = false;
  #restarts = 0;
  #absentUntil = -Infinity;

  constructor(options: ChangedSalesOptions) {
    this.#options = options;
  }

  /** Whether the next question can be asked now. */
  get isReady(): boolean {
    return !this.#isAsking && this.#options.now() >= this.#absentUntil;
  }

  /** The time since which the next answer has all changes; undefined if it won't have them. */
  get since(): number | undefined {
    return this.#last && this.#last.askedAt - OVERLAP_MS;
  }

  /** Begins anew, after a call of any kind has failed: the database may have been replaced by another meanwhile. */
  restart(): void {
    this.#restarts += 1;
    this.#last = undefined;
  }

  /** Asks once `isReady`. @returns undefined if nobody can say what has changed. @throws ConnectError */
  async next(): Promise<ChangedSince | undefined> {
    const { list, now } = this.#options;
    const { since } = this;
    const [last, askedAt, restarts] = [this.#last, now(), this.#restarts];
    this.#last = undefined;
    this.#isAsking = true;
    try {
      const answer = await list(last?.cursor ?? "");
      if (answer === "absent") this.#absentUntil = now() + RETRY_ABSENT_MS;
      const isUsable = now() - askedAt <= MAX_CALL_MS && restarts === this.#restarts;
      if (answer === "absent" || !isUsable) return undefined;
      this.#last = { cursor: answer.cursor, askedAt };
      if (since === undefined || !answer.complete) return undefined;
      return { since, askedAt, changed: answer.changed };
    } finally {
      this.#isAsking = false;
    }
  }
}
