import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import type {
  CommitmentService,
  WatchCommitmentDataResponseSchema,
} from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import type { CommitmentsContext } from "../base/context.ts";
import { generationNumber } from "../base/generation.ts";
import { parseResumeToken, resumeToken } from "./resume-token.ts";
import type { SaleWatch } from "./sale-watch.ts";
import { type WatchStep, watchStates } from "./watch-states.ts";
import type { WatchedState } from "./watched-state.ts";

const HEARTBEAT_MS = 15_000;

/** The objects that the watch of a sale uses. */
export interface WatchContext extends CommitmentsContext {
  readonly watch: SaleWatch<WatchedState>;
}

export function watchCommitmentData({
  watch,
}: WatchContext): ServiceImpl<typeof CommitmentService>["watchCommitmentData"] {
  return async function* ({ saleUuid, resumeToken: token }, { signal }) {
    const seen = parseResumeToken(token);
    const options = { saleUuid: saleUuid.toLowerCase(), seen, heartbeatMs: HEARTBEAT_MS, signal };
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
