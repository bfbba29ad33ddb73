import {
  ClearingOutcome,
  type GetPositionResponse,
  NotCountedReason,
  type PositionCommitment,
} from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import type { SaleWallet } from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import type { AuthDependencies } from "../../web/sessions/auth-dependencies.ts";

/** The state of a wallet's bids in a sale. */
export type BidState =
  | "in"
  | "margin"
  | "out"
  | "counts"
  | "refunded"
  | "empty"
  | "uncounted"
  /** Accepted in full, in part or not at all, once the sale is settled. */
  | "accepted"
  | "part"
  | "rejected"
  /** Nothing was bid, as far as the sale's contract was read. */
  | "none"
  /** The commitments service can't be asked now. */
  | "unknown";

/** The states of a wallet's bids in a sale, each once. */
export interface OwnBids extends Pick<SaleWallet, "saleUuid" | "entityUuid" | "wallet"> {
  readonly states: readonly BidState[];
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

/** Returns the states of a wallet's bids in a sale, each once; once it is known what the sale accepts, that. */
export function bidStates(position: GetPositionResponse): readonly BidState[] {
  const { commitments, saleAllocations } = position;
  if (commitments.length === 0) return ["none"];
  if (saleAllocations !== undefined && !saleAllocations.differs) return [acceptedState(position)];
  return [...new Set(commitments.map(stateOf))];
}

function acceptedState({ commitments, allocations }: GetPositionResponse): BidState {
  const accepted = sum(allocations.map((allocation) => allocation.accepted));
  if (accepted === 0n) return "rejected";
  const bid = sum(commitments.flatMap(({ commitment }) => commitment?.amounts.map(({ amount }) => amount) ?? []));
  return accepted === bid ? "accepted" : "part";
}

function sum(amounts: readonly string[]): bigint {
  return amounts.reduce((total, amount) => total + BigInt(amount), 0n);
}

function stateOf({ notCountedReason, clearingOutcome }: PositionCommitment): BidState {
  switch (notCountedReason) {
    case NotCountedReason.UNSPECIFIED:
      break;
    case NotCountedReason.REFUNDED:
      return "refunded";
    case NotCountedReason.NO_AMOUNT:
      return "empty";
    default:
      return "uncounted";
  }
  switch (clearingOutcome) {
    case ClearingOutcome.IN:
      return "in";
    case ClearingOutcome.AT_MARGIN:
      return "margin";
    case ClearingOutcome.OUT:
      return "out";
    default:
      return "counts";
  }
}
