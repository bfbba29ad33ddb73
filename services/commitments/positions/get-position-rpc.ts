import { create } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import { messageBytes } from "../../../common/platform/encoding/hex.ts";
import { pageSize, pageStart, tokenOf } from "../../../common/platform/rpc/server/page-token.ts";
import { AmountNormaliser } from "../../../common/sale/figures/amount.ts";
import { countMessage } from "../../../common/sale/figures/bid-message.ts";
import {
  commitmentPresenter,
  type PresentedCommitment,
  presentClearing,
} from "../../../common/sale/figures/commitment-data.ts";
import type { PositionEntry } from "../../../common/sale/figures/position.ts";
import { normaliseAllocations, type PositionAllocation } from "../../../common/sale/figures/position-allocations.ts";
import { stageMessage } from "../../../common/sale/state/stage.ts";
import { statusMessage } from "../../../common/sale/state/status.ts";
import type { BidExit } from "../../../proto/gen/tidemark/commitments/v1/bid_exit_pb.ts";
import {
  type CommitmentService,
  type PositionAllocation as PositionAllocationMessage,
  PositionAllocationSchema,
  type PositionCommitment,
  PositionCommitmentSchema,
} from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { saleAllocationsMessage } from "../base/allocation-message.ts";
import { clearingPriceMessage, commitmentMessage } from "../base/commitment-message.ts";
import type { CommitmentsContext } from "../base/context.ts";
import { generationNumber } from "../base/generation.ts";
import type { BidExitSource } from "./bid-exit-source.ts";
import { readPosition } from "./position-store.ts";
import { parseWallet, requireWalletOf } from "./typed-wallet.ts";

const COMMITMENT_ID_HEX_DIGITS = 64;

/** The context with who knows how bids leave. */
export interface PositionContext extends CommitmentsContext {
  readonly bidExits: BidExitSource;
}

export function getPositionRpc({
  store,
  extraDataParser,
  bidExits,
}: PositionContext): ServiceImpl<typeof CommitmentService>["getPosition"] {
  return async (request) => {
    const wallet = parseWallet("wallet", request.wallet);
    const after = pageStart(request.pageToken, COMMITMENT_ID_HEX_DIGITS);
    const page = { wallet, after, limit: pageSize(request.pageSize) };
    const { sale, state, entries, undersubscribed, allocations, next } = await readPosition(
      store.database,
      request.saleUuid.toLowerCase(),
      page,
    );
    const { definition } = sale;
    requireWalletOf(definition, "wallet", wallet);
    const known = await bidExits(
      { sale, state },
      entries.map(({ record }) => record),
    );
    const present = commitmentPresenter(definition, await extraDataParser(definition.extraDataParameters));
    const { clearing } = presentClearing(definition, state);
    const saleAllocations = saleAllocationsMessage(definition, state);
    const normalised = normaliseAllocations(new AmountNormaliser(definition), allocations);
    return {
      generation: generationNumber(state.generation),
      revision: state.revision,
      wallet,
      commitments: entries.map((entry, index) =>
        positionCommitmentMessage(present(entry.record), entry, known?.exits[index]),
      ),
      nextPageToken: next === undefined ? "" : tokenOf(next),
      paymentTokenDecimals: definition.paymentTokenDecimals,
      ...(clearing === undefined ? {} : { clearingPrice: clearingPriceMessage(clearing) }),
      ...(saleAllocations && { saleAllocations }),
      allocations: normalised.map(positionAllocationMessage),
      status: statusMessage(state.status),
      stage: stageMessage(state.stage),
      undersubscribed,
      ...(known && { exitsHeight: known.height }),
    };
  };
}

/** Converts a commitment with how it counts, and how it leaves. */
function positionCommitmentMessage(
  presented: PresentedCommitment,
  entry: PositionEntry,
  exit: BidExit | undefined,
): PositionCommitment {
  const message = { commitment: commitmentMessage(presented), ...countMessage(entry) };
  return create(PositionCommitmentSchema, { ...message, ...(exit && { exit }) });
}

function positionAllocationMessage({
  entityId,
  token,
  accepted,
  refunded,
}: PositionAllocation): PositionAllocationMessage {
  return create(PositionAllocationSchema, {
    entityId: messageBytes(entityId),
    token,
    accepted: accepted.toString(),
    ...(refunded === undefined ? {} : { refunded: refunded.toString() }),
  });
}
