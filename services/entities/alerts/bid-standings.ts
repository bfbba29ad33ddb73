import { hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { bidMoment, countFacts } from "../../../common/sale/figures/bid-message.ts";
import { type BidState, bidState } from "../../../common/sale/state/bid-state.ts";
import type {
  GetBidOutcomesResponse,
  WalletBids,
} from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import type { Standing } from "./alert.ts";

/** Returns how bids stand, by commitment ID, as the sale's page says it of each. */
export function bidStandings(
  bids: readonly WalletBids[],
  moment: Pick<GetBidOutcomesResponse, "status" | "stage" | "undersubscribed">,
): ReadonlyMap<string, Standing> {
  const at = bidMoment(moment);
  return new Map(
    bids
      .flatMap((wallet) => wallet.bids)
      .map((bid) => {
        // Amounts matter only once it is known what is accepted, and while a sale is open it isn't.
        const state = bidState({ ...countFacts(bid), amount: 0n, accepted: undefined }, at);
        return [hexOfBytes(bid.commitmentId), standingOf(state)] as const;
      }),
  );
}

function standingOf(state: BidState): Standing {
  if (state === "at_margin") return "at_margin";
  return state === "out" || state === "below_floor" ? "out" : "in";
}
