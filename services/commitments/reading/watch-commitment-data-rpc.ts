import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { presentCommitmentData } from "../../../common/sale/figures/commitment-data.ts";
import type { ExtraDataParser } from "../../../common/sale/figures/extra-data.ts";
import type { CommitmentData } from "../../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import type {
  CommitmentService,
  WatchCommitmentDataResponseSchema,
} from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { commitmentDataMessage } from "../base/commitment-message.ts";
import type { CommitmentsContext } from "../base/context.ts";
import { WATCH_HEARTBEAT_MS } from "../base/domain/lifetimes.ts";
import { generationNumber } from "../base/generation.ts";
import { readSaleSnapshot } from "../base/read-sale.ts";
import type { CommitmentsStore } from "../changing/commitments-store.ts";
import { isSameVersion, parseResumeToken, resumeToken, type SaleVersion } from "./resume-token.ts";
import type { SaleWatch } from "./sale-watch.ts";

/** The objects that the watch of a sale uses. */
export interface WatchContext extends CommitmentsContext {
  readonly watch: SaleWatch<WatchedState>;
}

export function watchCommitmentDataRpc({
  watch,
}: WatchContext): ServiceImpl<typeof CommitmentService>["watchCommitmentData"] {
  return async function* ({ saleUuid, resumeToken: token }, { signal }) {
    const seen = parseResumeToken(token);
    const options = { saleUuid: saleUuid.toLowerCase(), seen, heartbeatMs: WATCH_HEARTBEAT_MS, signal };
    for await (const step of watchStates(watch, options)) yield stepMessage(step);
  };
}

function stepMessage(step: WatchStep<WatchedState>): MessageInitShape<typeof WatchCommitmentDataResponseSchema> {
  const { state, skippedRevisions, version } = step;
  if (state === undefined) return { event: { case: "heartbeat", value: {} }, resumeToken: resumeToken(version) };
  const { revision, data } = state;
  const value = { generation: generationNumber(state.generation), revision, data, skippedRevisions };
  return { event: { case: "state", value }, resumeToken: resumeToken(version) };
}

/** A message to a watcher: the sale's state, or undefined for a heartbeat, and the version that the watcher has then. */
interface WatchStep<State extends SaleVersion> {
  readonly state: State | undefined;
  readonly skippedRevisions: bigint;
  readonly version: SaleVersion;
}

interface WatchOptions {
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

/** A sale's state, shared by all of its watchers. */
interface WatchedState extends SaleVersion {
  readonly data: CommitmentData;
}

interface WatchedStateDependencies {
  readonly store: CommitmentsStore;
  /** Returns the parser of extra data for a parameter list. */
  readonly extraDataParser: (parameters: string) => Promise<ExtraDataParser>;
}

/** Reads what watchers of a sale get. @throws ServiceError as `readSaleSnapshot` does */
export async function readWatchedState(
  { store, extraDataParser }: WatchedStateDependencies,
  saleUuid: string,
): Promise<WatchedState> {
  const { sale, state, snapshot } = await readSaleSnapshot(store, saleUuid, { generation: "", revision: 0n });
  const parse = await extraDataParser(sale.definition.extraDataParameters);
  const data = commitmentDataMessage(presentCommitmentData(sale.definition, snapshot, parse));
  return { generation: state.generation, revision: state.revision, data };
}
