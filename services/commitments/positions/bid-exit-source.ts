import type { CommitmentRecord } from "../../../common/sale/record/commitment.ts";
import type { BidExit } from "../../../proto/gen/tidemark/commitments/v1/bid_exit_pb.ts";
import type { SaleWithState } from "../base/domain/sale-with-state.ts";

/** Exits of bids, as far as they are known. */
export interface KnownExits {
  /** One for each bid, in the same order; undefined for one of which nothing is known. Amounts are in the decimals of the sale. */
  readonly exits: readonly (BidExit | undefined)[];
  /** The block up to which that was worked out. */
  readonly height: bigint;
}

/** Says how bids of a sale leave; undefined where they leave by no call, and where nothing is known. It never fails. */
export type BidExitSource = (
  sale: SaleWithState,
  records: readonly CommitmentRecord[],
) => Promise<KnownExits | undefined>;

/** Knows nothing; used without an indexer. */
export const noBidExits: BidExitSource = async () => undefined;
