import type { LongSnapshot } from "../../shared/db/long-snapshot.ts";
import { ServiceError } from "../../shared/service-error.ts";
import type { CommitmentsDatabase, CommitmentsSchema } from "../store/schema.ts";

export interface RunningExportsOptions {
  readonly database: CommitmentsDatabase;
  /** Exports at once, at most. */
  readonly maxExports: number;
  /** How long one may last, in milliseconds. */
  readonly maxMs: number;
}

/** An export under way. */
export interface RunningExport {
  readonly snapshot: LongSnapshot<CommitmentsSchema>;
  /** Aborted when its time is over, or its call is. */
  readonly signal: AbortSignal;
  /** To be called in every case. */
  end(): Promise<void>;
}

/**
 * The exports of this process. Each holds a snapshot of the database, which costs the database more the longer it
 * lasts: so their number and their time are bounded, and one whose reader has gone or stands still ends by itself.
 */
export class RunningExports {
  readonly #options: RunningExportsOptions;
  #running = 0;

  constructor(options: RunningExportsOptions) {
    this.#options = options;
  }

  get running(): number {
    return this.#running;
  }

  /** @param call aborted when the call is over. @throws ServiceError `resource_exhausted`, `unavailable` */
  async begin(call: AbortSignal): Promise<RunningExport> {
    const { database, maxExports, maxMs } = this.#options;
    if (this.#running >= maxExports) {
      throw new ServiceError("resource_exhausted", "this process has as many exports as it may; try again later", {
        retryAfterSeconds: 60,
      });
    }
    this.#running++;
    try {
      return this.#over(await database.openSnapshot(), call, maxMs);
    } catch (error) {
      this.#running--;
      throw error;
    }
  }

  #over(snapshot: LongSnapshot<CommitmentsSchema>, call: AbortSignal, maxMs: number): RunningExport {
    const ending = new AbortController();
    let ended: Promise<void> | undefined;
    const end = (): Promise<void> => {
      if (ended !== undefined) return ended;
      this.#running--;
      clearTimeout(timer);
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
    return { snapshot, signal: ending.signal, end };
  }
}

function tooLong(): ServiceError {
  return new ServiceError("deadline_exceeded", "the export took too long: what was sent isn't whole");
}
