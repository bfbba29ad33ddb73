import { create } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import { ADDRESSES, addressFamily } from "../../../common/chains/addresses.ts";
import { messageBytes } from "../../../common/platform/encoding/hex.ts";
import { invalidArgument } from "../../../common/platform/errors/service-error.ts";
import { pageSize, pageStart, tokenOf } from "../../../common/platform/rpc/server/page-token.ts";
import { paymentTokenKind } from "../../../common/sale/definition/payment-tokens.ts";
import type { SaleDefinition } from "../../../common/sale/definition/sale.ts";
import { checkTypedAddress } from "../../../common/sale/definition/typed-address.ts";
import { ViolationList } from "../../../common/sale/definition/violation-list.ts";
import { AmountNormaliser } from "../../../common/sale/figures/amount.ts";
import {
  commitmentPresenter,
  type PresentedCommitment,
  presentClearing,
} from "../../../common/sale/figures/commitment-data.ts";
import type { NotCounted, ClearingOutcome as Outcome, PositionEntry } from "../../../common/sale/figures/position.ts";
import { normaliseAllocations, type PositionAllocation } from "../../../common/sale/figures/position-allocations.ts";
import { stageMessage } from "../../../common/sale/state/stage.ts";
import { statusMessage } from "../../../common/sale/state/status.ts";
import {
  ClearingOutcome,
  type CommitmentService,
  NotCountedReason,
  type PositionAllocation as PositionAllocationMessage,
  PositionAllocationSchema,
  type PositionCommitment,
  PositionCommitmentSchema,
} from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { saleAllocationsMessage } from "../base/allocation-message.ts";
import { clearingPriceMessage, commitmentMessage } from "../base/commitment-message.ts";
import type { CommitmentsContext } from "../base/context.ts";
import { generationNumber } from "../base/generation.ts";
import { readPosition } from "./position-store.ts";

const COMMITMENT_ID_HEX_DIGITS = 64;

export function getPositionRpc({
  store,
  extraDataParser,
}: CommitmentsContext): ServiceImpl<typeof CommitmentService>["getPosition"] {
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
      status: statusMessage(state.status),
      stage: stageMessage(state.stage),
      undersubscribed,
    };
  };
}

/**
 * Returns the canonical form of a wallet that a person names.
 *
 * @throws ServiceError `invalid_argument` for text that isn't an address, and for a wrong checksum.
 */
function parseWallet(field: string, text: string): string {
  const violations = new ViolationList();
  const wallet = checkTypedAddress(field, text, undefined, violations);
  violations.throwIfAny();
  return wallet ?? text;
}

/** Requires a wallet of the chain of a sale's payment tokens, which are of one kind. @throws ServiceError `invalid_argument` */
function requireWalletOf(definition: Pick<SaleDefinition, "paymentTokens">, field: string, wallet: string): void {
  const kind = paymentTokenKind(definition);
  if (addressFamily(wallet) === kind) return;
  throw invalidArgument([{ field, rule: "address.form", message: ADDRESSES[kind].form }]);
}

const REASONS: Readonly<Record<NotCounted, NotCountedReason>> = {
  refunded: NotCountedReason.REFUNDED,
  no_amount: NotCountedReason.NO_AMOUNT,
};
const OUTCOMES: Readonly<Record<Outcome, ClearingOutcome>> = {
  in: ClearingOutcome.IN,
  at_margin: ClearingOutcome.AT_MARGIN,
  out: ClearingOutcome.OUT,
  below_floor: ClearingOutcome.BELOW_FLOOR,
};

/** Converts a commitment with how it counts. */
function positionCommitmentMessage(
  presented: PresentedCommitment,
  { notCounted, outcome }: Pick<PositionEntry, "notCounted" | "outcome">,
): PositionCommitment {
  return create(PositionCommitmentSchema, {
    commitment: commitmentMessage(presented),
    ...(notCounted === undefined ? {} : { notCountedReason: REASONS[notCounted] }),
    ...(outcome === undefined ? {} : { clearingOutcome: OUTCOMES[outcome] }),
  });
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
