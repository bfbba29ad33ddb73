import { create } from "@bufbuild/protobuf";
import { hexOfBytes, messageBytes } from "../../../common/platform/encoding/hex.ts";
import type { SaleDefinition } from "../../../common/sale/definition/sale.ts";
import { AmountNormaliser } from "../../../common/sale/figures/amount.ts";
import type { Allocation } from "../../../common/sale/record/allocation.ts";
import type { TokenAmount, TokenAmounts } from "../../../common/sale/record/token-amounts.ts";
import {
  type Allocation as AllocationMessage,
  AllocationSchema,
  type AllocationTotals,
  type SaleAllocations,
  SaleAllocationsSchema,
} from "../../../proto/gen/tidemark/commitments/v1/allocation_pb.ts";
import type { SaleState } from "./domain/sale-state.ts";
import { differ, shownAllocations } from "./domain/shown-allocations.ts";

/** Converts the totals of a request, with addresses as the sender wrote them. */
export function totalsOf({ accepted }: AllocationTotals): readonly TokenAmount[] {
  return accepted.map(({ token, amount }) => ({ token, amount: BigInt(amount) }));
}

/** Converts an allocation of a request, with addresses as the sender wrote them. */
export function allocationOf({ entityId, wallet, token, accepted }: AllocationMessage): Allocation {
  return { entityId: hexOfBytes(entityId), wallet, token, accepted: BigInt(accepted) };
}

export function allocationMessage({ entityId, wallet, token, accepted }: Allocation): AllocationMessage {
  return create(AllocationSchema, { entityId: messageBytes(entityId), wallet, token, accepted: accepted.toString() });
}

/** Converts what readers are shown of a sale's allocations as a whole; undefined as long as they aren't known. */
export function saleAllocationsMessage(
  definition: SaleDefinition,
  state: Pick<SaleState, "status" | "stage" | "allocations">,
): SaleAllocations | undefined {
  const allocations = shownAllocations(state);
  if (allocations === undefined) return undefined;
  const { accepted, expected } = allocations;
  return create(SaleAllocationsSchema, {
    accepted: amountMessages(accepted),
    differs: differ(allocations),
    expected: amountMessages(expected),
    total: totalOf(definition, accepted).toString(),
  });
}

/** Returns the sum of raw amounts of different tokens, in the decimals of the sale. */
function totalOf(definition: SaleDefinition, amounts: TokenAmounts): bigint {
  const normaliser = new AmountNormaliser(definition);
  return [...amounts].reduce((sum, [token, amount]) => sum + normaliser.normalise(token, amount), 0n);
}

function amountMessages(amounts: TokenAmounts) {
  const sorted = [...amounts].sort(([one], [other]) => (one < other ? -1 : 1));
  return sorted.map(([token, amount]) => ({ token, amount: amount.toString() }));
}
