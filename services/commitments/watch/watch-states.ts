import { ServiceError } from "../../shared/errors/service-error.ts";
import { isSameVersion, type SaleVersion } from "./resume-token.ts";
import type { SaleWatch } from "./sale-watch.ts";

/** What a watcher gets: the sale's state, or undefined for a heartbeat; and where it stands with that. */
export interface WatchStep<State extends SaleVersion> {
  readonly state: State | undefined;
  readonly skippedRevisions: bigint;
  readonly version: SaleVersion;
}

export interface WatchOptions {
  readonly saleUuid: string;
  /** What the watcher has already. */
  readonly seen: SaleVersion | undefined;
  readonly heartbeatMs: number;
  readonly signal: AbortSignal;
}

/**
 * The states of a sale from now on. The next one is read when the reader asks for it, so that a slow reader gets the
 * latest only.
 *
 * @throws ServiceError `failed_precondition` where `seen` isn't a version that the sale has had, `resource_exhausted`, and
 *   what reading the sale throws.
 */
export async function* watchStates<State extends SaleVersion>(
  watch: SaleWatch<State>,
  { saleUuid, seen: resumed, heartbeatMs, signal }: WatchOptions,
): AsyncGenerator<WatchStep<State>, never> {
  const { sale, close } = watch.open(saleUuid);
  try {
    let seen = resumed;
    // Another process may have told the watcher of what this one hasn't heard of yet.
    if (resumed !== undefined) sale.notice(resumed);
    for (let isFirst = true; ; isFirst = false) {
      const state = await sale.state();
      if (isFirst) requireKnown(resumed, state);
      if (!isSameVersion(seen, state)) {
        yield { state, skippedRevisions: skipped(seen, state), version: versionOf(state) };
      }
      seen = versionOf(state);
      while (!(await sale.changedSince(seen, heartbeatMs, signal))) {
        yield { state: undefined, skippedRevisions: 0n, version: seen };
      }
    }
  } finally {
    close();
  }
}

function requireKnown(resumed: SaleVersion | undefined, { generation, revision }: SaleVersion): void {
  if (resumed === undefined || (resumed.generation === generation && resumed.revision <= revision)) return;
  throw new ServiceError("failed_precondition", "the sale has begun anew since that resume token; watch without it");
}

function skipped(seen: SaleVersion | undefined, { generation, revision }: SaleVersion): bigint {
  return seen?.generation === generation ? revision - seen.revision - 1n : 0n;
}

function versionOf({ generation, revision }: SaleVersion): SaleVersion {
  return { generation, revision };
}
