import type { LongSnapshot } from "../../shared/db/long-snapshot.ts";
import { ServiceError } from "../../shared/errors/service-error.ts";
import type { CommitmentsDatabase, CommitmentsSchema } from "../store/sql/schema.ts";

export interface RunningExportsOptions {
  readonly database: CommitmentsDatabase;
  /** Exports at once, at most. */
  readonly maxExports: number;
  /** How long one may last, in milliseconds. */
  readonly maxMs: number;
  /** How long a reader may leave a message untaken, in milliseconds; 30 s by default. */
  readonly maxIdleMs?: number;
}

const MAX_IDLE_MS = 30_000;

/** An export under way. */
export interface RunningExport {
  readonly snapshot: LongSnapshot<CommitmentsSchema>;
  /** Aborted when its time is over, or its call is. */
  readonly signal: AbortSignal;
  /** A message is there for the reader. */
  offered(): void;
  /** The reader has taken it. */
  taken(): void;
  /** To be called in every case. */
  end(): Promise<void>;
}

/**
 * The exports of this process. Each holds a snapshot of the database, which costs the database more the longer it
 * lasts: so their number and their time are bounded, a person has one at a time, and one whose reader has gone or stands
 * still ends by itself.
 */
export class RunningExports {
  readonly #options: RunningExportsOptions;
  #running = 0;
  readonly #people = new Set<string>();

  constructor(options: RunningExportsOptions) {
    this.#options = options;
  }

  get running(): number {
    return this.#running;
  }

  /**
   * @param call aborted when the call is over
   * @param accountUuid of the person whose export it is; none for an operator
   * @throws ServiceError `resource_exhausted`, `unavailable`
   */
  async begin(call: AbortSignal, accountUuid?: string): Promise<RunningExport> {
    const { database, maxExports } = this.#options;
    if (accountUuid !== undefined && this.#people.has(accountUuid)) {
      throw new ServiceError(
        "resource_exhausted",
        "another export of yours is under way; try again when it has ended",
        {
          retryAfterSeconds: 60,
        },
      );
    }
    if (this.#running >= maxExports) {
      throw new ServiceError("resource_exhausted", "this process has as many exports as it may; try again later", {
        retryAfterSeconds: 60,
      });
    }
    this.#running++;
    if (accountUuid !== undefined) this.#people.add(accountUuid);
    const leave = (): void => {
      this.#running--;
      if (accountUuid !== undefined) this.#people.delete(accountUuid);
    };
    try {
      return this.#over(await database.openSnapshot(), call, leave);
    } catch (error) {
      leave();
      throw error;
    }
  }

  #over(snapshot: LongSnapshot<CommitmentsSchema>, call: AbortSignal, leave: () => void): RunningExport {
    const { maxMs, maxIdleMs = MAX_IDLE_MS } = this.#options;
    let idle: NodeJS.Timeout | undefined;
    const ending = new AbortController();
    let ended: Promise<void> | undefined;
    const end = (): Promise<void> => {
      if (ended !== undefined) return ended;
      leave();
      clearTimeout(timer);
      clearTimeout(idle);
      call.removeEventListener("abort", onCallEnd);
      ended = snapshot.close();
      return ended;
    };
    // A reader that takes nothing leaves the handler waiting, so that it can't end anything.
    const abort = (reason: unknown): void => {
      ending.abort(reason);
      end().catch(() => undefined);
    };
    const onCallEnd = (): void => abort(call.reason);
    const timer = setTimeout(() => abort(tooLong()), maxMs);
    call.addEventListener("abort", onCallEnd);
    if (call.aborted) onCallEnd();
    const taken = (): void => clearTimeout(idle);
    const offered = (): void => {
      clearTimeout(idle);
      if (ended === undefined) idle = setTimeout(() => abort(standsStill()), maxIdleMs);
    };
    return { snapshot, signal: ending.signal, offered, taken, end };
  }
}

function tooLong(): ServiceError {
  return new ServiceError("deadline_exceeded", "the export took too long: what was sent isn't whole");
}

function standsStill(): ServiceError {
  return new ServiceError("deadline_exceeded", "nobody took what the export holds: what was sent isn't whole");
}
