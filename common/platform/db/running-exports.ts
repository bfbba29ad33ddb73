import { ServiceError } from "../errors/service-error.ts";
import type { Database } from "./database.ts";
import type { LongSnapshot } from "./long-snapshot.ts";

export interface RunningExportsDependencies<Schema> {
  readonly database: Pick<Database<Schema>, "openSnapshot">;
  /** The most exports at once. */
  readonly maxExports: number;
  /** The longest time of one export, in milliseconds. */
  readonly maxMs: number;
  /** The longest time that a reader may leave a message unread, in milliseconds; 30 s by default. */
  readonly maxIdleMs?: number;
}

const MAX_IDLE_MS = 30_000;

/** An export that is running. */
export interface RunningExport<Schema> {
  readonly snapshot: LongSnapshot<Schema>;
  /** Aborted when its time or its call has ended. */
  readonly signal: AbortSignal;
  /** Records that a message waits for the reader. */
  offered(): void;
  /** Records that the reader has taken it. */
  taken(): void;
  /** Ends the export. Must be called in every case. */
  end(): Promise<void>;
}

/**
 * The exports of this process. Each holds a snapshot, which costs the database more the longer it lasts. So their number
 * and time are bounded, a person has one at a time, and an export ends by itself if its reader is gone or stops reading.
 */
export class RunningExports<Schema> {
  readonly #dependencies: RunningExportsDependencies<Schema>;
  #running = 0;
  readonly #people = new Set<string>();

  constructor(dependencies: RunningExportsDependencies<Schema>) {
    this.#dependencies = dependencies;
  }

  get running(): number {
    return this.#running;
  }

  /**
   * Begins an export.
   *
   * @param call aborted when the call has ended
   * @param accountUuid the account of the person who exports; absent for an operator
   * @throws ServiceError `resource_exhausted`, `unavailable`
   */
  async begin(call: AbortSignal, accountUuid?: string): Promise<RunningExport<Schema>> {
    const { database, maxExports } = this.#dependencies;
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
      throw new ServiceError("resource_exhausted", "this process runs its maximum number of exports; try again later", {
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

  #over(snapshot: LongSnapshot<Schema>, call: AbortSignal, leave: () => void): RunningExport<Schema> {
    const { maxMs, maxIdleMs = MAX_IDLE_MS } = this.#dependencies;
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
    // A handler whose reader reads nothing is stuck in `yield`, and can't end the export itself.
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
      if (ended === undefined) idle = setTimeout(() => abort(readerStopped()), maxIdleMs);
    };
    return { snapshot, signal: ending.signal, offered, taken, end };
  }
}

function tooLong(): ServiceError {
  return new ServiceError("deadline_exceeded", "the export took too long: the part that was sent is incomplete");
}

function readerStopped(): ServiceError {
  return new ServiceError(
    "deadline_exceeded",
    "the reader has stopped reading the export: the part that was sent is incomplete",
  );
}
