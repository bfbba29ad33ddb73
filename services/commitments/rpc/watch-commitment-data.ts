import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import type { CommitmentData } from "../../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import type {
  CommitmentService,
  WatchCommitmentDataResponseSchema,
} from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { presentCommitmentData } from "../domain/figures/commitment-data.ts";
import { commitmentDataMessage } from "../messages/commitment-message.ts";
import { generationNumber } from "../messages/generation.ts";
import { readSaleSnapshot } from "../store/read/read-sale.ts";
import { parseResumeToken, resumeToken, type SaleVersion } from "../watch/resume-token.ts";
import { type WatchStep, watchStates } from "../watch/watch-states.ts";
import type { Dependencies } from "./dependencies.ts";

const HEARTBEAT_MS = 15_000;

/** A sale's state, as all its watchers share it. */
export interface WatchedState extends SaleVersion {
  readonly data: CommitmentData;
}

export function watchCommitmentData({
  watch,
}: Dependencies): ServiceImpl<typeof CommitmentService>["watchCommitmentData"] {
  return async function* ({ saleUuid, resumeToken: token }, { signal }) {
    const seen = parseResumeToken(token);
    const options = { saleUuid: saleUuid.toLowerCase(), seen, heartbeatMs: HEARTBEAT_MS, signal };
    for await (const step of watchStates(watch, options)) yield stepMessage(step);
  };
}

/** Reads what watchers get. @throws ServiceError as `readSaleSnapshot` */
export async function readWatchedState(
  { database, extraDataParser }: Pick<Dependencies, "database" | "extraDataParser">,
  saleUuid: string,
): Promise<WatchedState> {
  const { sale, state, snapshot } = await readSaleSnapshot(database, saleUuid, { generation: "", revision: 0n });
  const parse = await extraDataParser(sale.definition.extraDataParameters);
  const data = commitmentDataMessage(presentCommitmentData(sale.definition, snapshot, parse));
  return { generation: state.generation, revision: state.revision, data };
}

function stepMessage(step: WatchStep<WatchedState>): MessageInitShape<typeof WatchCommitmentDataResponseSchema> {
  const { state, skippedRevisions, version } = step;
  if (state === undefined) return { event: { case: "heartbeat", value: {} }, resumeToken: resumeToken(version) };
  const { revision, data } = state;
  const value = { generation: generationNumber(state.generation), revision, data, skippedRevisions };
  return { event: { case: "state", value }, resumeToken: resumeToken(version) };
}
