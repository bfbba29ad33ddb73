import type { SourceCommitment } from "../../../common/contracts/source-commitment.ts";
import { recordOf } from "../../../common/sale/record/commitment-message.ts";
import type { CommitmentRecord } from "../../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";

/** A stored commitment. Those that were read from a contract always have an index. */
export function commitmentOf(record: CommitmentRecord): SourceCommitment {
  return { ...recordOf(record), sourceIndex: record.sourceIndex ?? 0n };
}
