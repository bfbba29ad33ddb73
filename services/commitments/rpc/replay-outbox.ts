import type { ServiceImpl } from "@connectrpc/connect";
import type { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { millisOf } from "../messages/time-message.ts";
import { replayOutbox as replayStored } from "../outbox/unpublished-updates.ts";
import type { Dependencies } from "./dependencies.ts";

export function replayOutbox({ store }: Dependencies): ServiceImpl<typeof CommitmentService>["replayOutbox"] {
  return async ({ since }) => ({ revisions: await replayStored(store.database, millisOf(since)) });
}
