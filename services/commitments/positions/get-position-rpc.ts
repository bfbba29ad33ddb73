import type { ServiceImpl } from "@connectrpc/connect";
import { pageSize, pageStart, tokenOf } from "../../../common/platform/rpc/server/page-token.ts";
import { AmountNormaliser } from "../../../common/sale/figures/amount.ts";
import { commitmentPresenter, presentClearing } from "../../../common/sale/figures/commitment-data.ts";
import { normaliseAllocations } from "../../../common/sale/figures/position-allocations.ts";
import type { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { saleAllocationsMessage } from "../base/allocation-message.ts";
import { clearingPriceMessage } from "../base/commitment-message.ts";
import type { CommitmentsContext } from "../base/context.ts";
import { generationNumber } from "../base/generation.ts";
import { positionAllocationMessage, positionCommitmentMessage } from "./position-message.ts";
import { readPosition } from "./position-store.ts";
import { parseWallet, requireWalletOf } from "./wallet.ts";

const COMMITMENT_ID_HEX_DIGITS = 64;

export function getPosition({
  store,
  extraDataParser,
}: CommitmentsContext): ServiceImpl<typeof CommitmentService>["getPosition"] {
  return async (request) => {
    const wallet = parseWallet("wallet", request.wallet);
    const after = pageStart(request.pageToken, COMMITMENT_ID_HEX_DIGITS);
    const page = { wallet, after, limit: pageSize(request.pageSize) };
    const { sale, state, entries, allocations, next } = await readPosition(
      store.database,
      request.saleUuid.toLowerCase(),
      page,
    );
    const { definition } = sale;
    requireWalletOf(definition, "wallet", wallet);
    const present = commitmentPresenter(definition, await extraDataParser(definition.extraDataParameters));
    const { clearing } = presentClearing(definition, state);
    const saleAllocations = saleAllocationsMessage(definition, state);
    const normalised = normaliseAllocations(new AmountNormaliser(definition), allocations);
    return {
      generation: generationNumber(state.generation),
      revision: state.revision,
      wallet,
      commitments: entries.map((entry) => positionCommitmentMessage(present(entry.record), entry)),
      nextPageToken: next === undefined ? "" : tokenOf(next),
      paymentTokenDecimals: definition.paymentTokenDecimals,
      ...(clearing === undefined ? {} : { clearingPrice: clearingPriceMessage(clearing) }),
      ...(saleAllocations && { saleAllocations }),
      allocations: normalised.map(positionAllocationMessage),
    };
  };
}
