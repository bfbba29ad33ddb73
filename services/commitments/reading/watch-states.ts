import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { isSameVersion, type SaleVersion } from "./resume-token.ts";
import type { SaleWatch } from "./sale-watch.ts";

/** A message to a watcher: the sale's state, or undefined for a heartbeat, and the version that the watcher has then. */
export interface WatchStep<State extends SaleVersion> {
  readonly state: State | undefined;
  readonly skippedRevisions: bigint;
  readonly version: SaleVersion;
}

export interface WatchOptions {
  readonly saleUuid: string;
  /** The version that the watcher has already. */
  readonly seen: SaleVersion | undefined;
  readonly heartbeatMs: number;
  readonly signal: AbortSignal;
}

/**
 * Yields the states of a sale from now on. Each is read when the watcher asks for it, so that a slow watcher gets only the
 * latest.
 *
 * @throws ServiceError `failed_precondition` if the sale never had the version `seen`, `resource_exhausted`, and whatever
 *   reading the sale throws.
 */
export async function* watchStates<State extends SaleVersion>(
  watch: SaleWatch<State>,
  { saleUuid, seen: resumed, heartbeatMs, signal }: WatchOptions,
): AsyncGenerator<WatchStep<State>, never> {
  const { sale, close } = watch.open(saleUuid);
  try {
    let seen = resumed;
    // The watcher may have a newer version from another process than this one knows.
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
  throw new ServiceError(
    "failed_precondition",
    "the sale has a new generation since that resume token; watch without it",
  );
}

function skipped(seen: SaleVersion | undefined, { generation, revision }: SaleVersion): bigint {
  return seen?.generation === generation ? revision - seen.revision - 1n : 0n;
}

function versionOf({ generation, revision }: SaleVersion): SaleVersion {
  return { generation, revision };
}
