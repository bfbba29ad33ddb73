import { hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { bidMoment, countFacts } from "../../../common/sale/figures/bid-message.ts";
import { type BidState, type WalletBids, walletBidStates } from "../../../common/sale/state/bid-state.ts";
import type {
  GetPositionResponse,
  PositionCommitment,
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
  /** Whether what the sale accepts of everybody doesn't add up to the contract's own totals. */
  readonly differs: boolean;
  /** Whether the sale is settled, as far as that is known. */
  readonly isSettled: boolean;
}

const DEADLINE_MS = 2_000;

/** Returns what became of the bids of each wallet. One whose sale can't be read now is `unknown`. */
export function ownBids(
  client: AuthDependencies["positions"],
  wallets: readonly SaleWallet[],
): Promise<readonly OwnBids[]> {
  const read = async ({ saleUuid, entityUuid, wallet }: SaleWallet): Promise<OwnBids> => {
    const position = await client.getPosition({ saleUuid, wallet }, { timeoutMs: DEADLINE_MS }).catch(() => undefined);
    const key = { saleUuid, entityUuid, wallet };
    if (position === undefined) return { ...key, states: ["unknown"], differs: false, isSettled: false };
    const differs = position.saleAllocations?.differs === true;
    return { ...key, states: bidStates(position), differs, isSettled: bidMoment(position).phase === "settled" };
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
  const bids = commitments.map((commitment) => bidFacts(commitment, wallet));
  const accepted = allocations.map((each) => ({ entity: hexOfBytes(each.entityId), accepted: BigInt(each.accepted) }));
  const known = saleAllocations === undefined ? undefined : accepted;
  const { each, together } = walletBidStates(
    { bids, allocations: known, isWhole: nextPageToken === "" },
    bidMoment(position),
  );
  return together === undefined ? [...new Set(each)] : [together];
}

function bidFacts(message: PositionCommitment, wallet: string): WalletBids["bids"][number] {
  const { commitment } = message;
  const own = commitment?.amounts.filter((amount) => amount.wallet === wallet) ?? [];
  return {
    ...countFacts(message),
    entity: hexOfBytes(commitment?.entityId ?? new Uint8Array()),
    amount: own.reduce((total, { amount }) => total + BigInt(amount), 0n),
  };
}
