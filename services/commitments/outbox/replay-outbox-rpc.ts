import type { ServiceImpl } from "@connectrpc/connect";
import type { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import type { CommitmentsContext } from "../base/context.ts";
import { millisOf } from "../base/time-message.ts";
import { replayOutbox as replayStored } from "./unpublished-updates.ts";

export function replayOutboxRpc({ store }: CommitmentsContext): ServiceImpl<typeof CommitmentService>["replayOutbox"] {
  return async ({ since }) => ({ revisions: await replayStored(store.database, millisOf(since)) });
}
