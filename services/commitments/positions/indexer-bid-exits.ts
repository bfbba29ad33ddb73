import { create, type MessageInitShape } from "@bufbuild/protobuf";
import type { Client } from "@connectrpc/connect";
import { messageBytes } from "../../../common/platform/encoding/hex.ts";
import { contractFamilyMessage, mayBidAgain } from "../../../common/sale/definition/contract-family.ts";
import { type Sale, sourceAddress, sourceFamily } from "../../../common/sale/definition/sale.ts";
import { AmountNormaliser } from "../../../common/sale/figures/amount.ts";
import type { CommitmentRecord } from "../../../common/sale/record/commitment.ts";
import { type BidExit, BidExitSchema } from "../../../proto/gen/tidemark/commitments/v1/bid_exit_pb.ts";
import type { IndexerService, LeavingBidSchema } from "../../../proto/gen/tidemark/indexer/v1/indexer_service_pb.ts";
import { EXITS_TIMEOUT_MS } from "../base/domain/lifetimes.ts";
import type { BidExitSource } from "./bid-exit-source.ts";

/** Asks the indexer how bids leave. What it doesn't say in time isn't known: a position is never refused for that. */
export function indexerBidExits(indexer: Pick<Client<typeof IndexerService>, "getBidExits">): BidExitSource {
  return async ({ sale, state }, records) => {
    const { source } = sale.definition;
    const family = sourceFamily(source);
    if (source === undefined || !mayBidAgain(family) || records.length === 0) return undefined;
    const request = {
      ...{ chain: source.chain, address: sourceAddress(source), family: contractFamilyMessage(family) },
      clearingTicks: state.clearingTick?.toString() ?? "",
      bids: records.map(leavingBid),
    };
    try {
      const { exits, height } = await indexer.getBidExits(request, { timeoutMs: EXITS_TIMEOUT_MS });
      return { height, exits: exits.map(({ exit }, index) => exit && normalised(sale, records[index], exit)) };
    } catch {
      return undefined;
    }
  };
}

function leavingBid({
  commitmentId,
  priceTicks,
  amounts,
  demand = 0n,
}: CommitmentRecord): MessageInitShape<typeof LeavingBidSchema> {
  const amount = amounts.reduce((sum, each) => sum + each.amount, 0n);
  return {
    commitmentId: messageBytes(commitmentId),
    priceTicks: `${priceTicks}`,
    amount: `${amount}`,
    demand: `${demand}`,
  };
}

/** Converts the amounts of an exit to the decimals of the sale. A bid is of one token. */
function normalised({ definition }: Sale, record: CommitmentRecord | undefined, exit: BidExit): BidExit {
  const token = record?.amounts[0]?.token;
  if (token === undefined || exit.spent === undefined || exit.refunded === undefined) return exit;
  const normaliser = new AmountNormaliser(definition);
  const [spent, refunded] = [exit.spent, exit.refunded].map((raw) =>
    normaliser.normalise(token, BigInt(raw)).toString(),
  );
  return create(BidExitSchema, {
    ...exit,
    ...(spent !== undefined && { spent }),
    ...(refunded !== undefined && { refunded }),
  });
}
