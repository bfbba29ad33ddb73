import type { ListedCommitment } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";

/** A way to write commitments as CSV. */
export interface CsvFormat {
  /** The header record. */
  readonly header: string;
  /** Yields the records of one commitment. @param saysAccepted whether the sale's contract says what it accepts */
  records(commitment: ListedCommitment, saysAccepted: boolean): Iterable<string>;
}
