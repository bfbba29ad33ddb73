import { type BidFacts, type BidMoment, type BidState, bidState } from "../../../common/sale/state/bid-state.ts";
import { saleState } from "../../../common/sale/state/phase.ts";
import { stageOf } from "../../../common/sale/state/stage.ts";
import { publicStatus } from "../../../common/sale/state/status.ts";
import {
  ClearingOutcome,
  type GetPositionResponse,
  NotCountedReason,
  type PositionCommitment,
} from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import type { SaleWallet } from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import type { AuthDependencies } from "../../web/sessions/auth-dependencies.ts";

/** State of a wallet's bids in a sale. */
export type OwnBidState =
  | BidState
  /** Nothing was bid, as far as the sale's contract was read. */
  | "none"
  /** The commitments service can't be asked now. */
  | "unknown";

/** The states of a wallet's bids in a sale, each once. */
export interface OwnBids extends Pick<SaleWallet, "saleUuid" | "entityUuid" | "wallet"> {
  readonly states: readonly OwnBidState[];
}

const DEADLINE_MS = 2_000;

/** Returns what became of the bids of each wallet. One whose sale can't be read now is `unknown`. */
export function ownBids(
  client: AuthDependencies["positions"],
  wallets: readonly SaleWallet[],
): Promise<readonly OwnBids[]> {
  const read = async ({ saleUuid, entityUuid, wallet }: SaleWallet): Promise<OwnBids> => {
    const position = client.getPosition({ saleUuid, wallet }, { timeoutMs: DEADLINE_MS });
    const states = await position.then(bidStates, () => ["unknown"] as const);
    return { saleUuid, entityUuid, wallet, states };
  };
  return Promise.all(wallets.map(read));
}

/**
 * Returns the states of a wallet's bids in a sale, each once, by the rule of the sale's page; once it is known what the sale accepts,
 * one state of all that counts.
 */
export function bidStates(position: GetPositionResponse): readonly OwnBidState[] {
  const { commitments, saleAllocations, allocations, nextPageToken, wallet } = position;
  if (commitments.length === 0) return ["none"];
  const moment = momentOf(position);
  const bids = commitments.map((commitment) => bidFacts(commitment, wallet));
  const counted = bids.filter(({ Counted }) => Counted);
  if (saleAllocations === undefined || saleAllocations.differs || nextPageToken !== "" || counted.length === 0) {
    return [...new Set(bids.map((bid) => bidState(bid, moment)))];
  }
  const amount = sum(counted.map((bid) => bid.amount));
  const accepted = sum(allocations.map((allocation) => BigInt(allocation.accepted)));
  return [bidState({ Counted: true, amount, accepted }, moment)];
}

function momentOf({ status, stage, undersubscribed }: GetPositionResponse): BidMoment {
  const [Status, Stage] = [publicStatus(status), stageOf(stage)];
  // Without times the moment doesn't matter.
  const { phase } = saleState({ ...(Status && { Status }), ...(Stage && { Stage }) }, 0);
  return { phase, stage: Stage, isUndersubscribed: undersubscribed };
}

function bidFacts({ commitment, notCountedReason, clearingOutcome }: PositionCommitment, wallet: string): BidFacts {
  const own = commitment?.amounts.filter((amount) => amount.wallet === wallet) ?? [];
  const [reason, outcome] = [REASONS[notCountedReason], OUTCOMES[clearingOutcome]];
  return {
    Counted: notCountedReason === NotCountedReason.UNSPECIFIED,
    ...(reason && { NotCountedReason: reason }),
    ...(outcome && { ClearingOutcome: outcome }),
    amount: sum(own.map(({ amount }) => BigInt(amount))),
    accepted: undefined,
  };
}

const REASONS: Readonly<Record<NotCountedReason, BidFacts["NotCountedReason"] | undefined>> = {
  [NotCountedReason.UNSPECIFIED]: undefined,
  [NotCountedReason.REFUNDED]: "refunded",
  [NotCountedReason.NO_AMOUNT]: "no_amount",
};
const OUTCOMES: Readonly<Record<ClearingOutcome, BidFacts["ClearingOutcome"] | undefined>> = {
  [ClearingOutcome.UNSPECIFIED]: undefined,
  [ClearingOutcome.IN]: "in",
  [ClearingOutcome.AT_MARGIN]: "at_margin",
  [ClearingOutcome.OUT]: "out",
  [ClearingOutcome.BELOW_FLOOR]: "below_floor",
};

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
