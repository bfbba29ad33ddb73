import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import type { BidExit, BidExits, BidStanding, LeavingBid } from "../../../common/contracts/bid-exits.ts";
import type { ChainConnections } from "../../../common/contracts/connecting/chain-connections.ts";
import { hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import {
  type BidExitSchema,
  BidStanding as BidStandingMessage,
} from "../../../proto/gen/tidemark/commitments/v1/bid_exit_pb.ts";
import type {
  IndexerService,
  LeavingBid as LeavingBidMessage,
} from "../../../proto/gen/tidemark/indexer/v1/indexer_service_pb.ts";
import type { ExitReads } from "./exit-reads.ts";
import { declaredFamily, requireChain } from "./source-checks.ts";

const STANDINGS: Readonly<Record<BidStanding, BidStandingMessage>> = {
  may_get_more: BidStandingMessage.MAY_GET_MORE,
  awaits_checkpoint: BidStandingMessage.AWAITS_CHECKPOINT,
  awaits_graduation: BidStandingMessage.AWAITS_GRADUATION,
  outbid: BidStandingMessage.OUTBID,
  at_final_price: BidStandingMessage.AT_FINAL_PRICE,
  above_final_price: BidStandingMessage.ABOVE_FINAL_PRICE,
  not_graduated: BidStandingMessage.NOT_GRADUATED,
  locked: BidStandingMessage.LOCKED,
};

export function getBidExits(
  connections: ChainConnections,
  reads: ExitReads,
): ServiceImpl<typeof IndexerService>["getBidExits"] {
  return async ({ chain, address, family, clearingTicks, bids }, { signal }) => {
    requireChain(connections, chain);
    const known = await reads.get({ chain, address, ...declaredFamily(family) }, signal);
    if (known === undefined) throw new ServiceError("unavailable", "how bids leave isn't known yet");
    const clearing = clearingTicks === "" ? undefined : BigInt(clearingTicks);
    const exits = bids.map((bid) => {
      const exit = exitOf(known, bidOf(bid), clearing);
      return exit === undefined ? {} : { exit: exitMessage(exit) };
    });
    return { exits, height: known.height };
  };
}

function bidOf({ commitmentId, priceTicks, amount, demand }: LeavingBidMessage): LeavingBid {
  const numbers = { priceTicks: BigInt(priceTicks), amount: BigInt(amount), demand: BigInt(demand) };
  return { commitmentId: hexOfBytes(commitmentId), ...numbers };
}

/** Returns undefined also for a bid that contradicts what was read, as one may that a re-organisation has replaced meanwhile. */
function exitOf(known: BidExits, bid: LeavingBid, clearing: bigint | undefined): BidExit | undefined {
  try {
    return known.of(bid, clearing);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return undefined;
  }
}

function exitMessage({ standing, fill, call }: BidExit): MessageInitShape<typeof BidExitSchema> {
  return {
    standing: STANDINGS[standing],
    ...(fill && { spent: `${fill.spent}`, refunded: `${fill.refunded}`, tokens: `${fill.tokens}` }),
    ...(call && { function: call.name, arguments: call.arguments.map(String) }),
  };
}
