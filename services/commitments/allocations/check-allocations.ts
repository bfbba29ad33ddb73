import { ADDRESSES } from "../../../common/chains/addresses.ts";
import { invalidArgument } from "../../../common/platform/errors/service-error.ts";
import { paymentTokenKind } from "../../../common/sale/definition/payment-tokens.ts";
import type { SaleDefinition } from "../../../common/sale/definition/sale.ts";
import { UINT256_MAX } from "../../../common/sale/definition/uint.ts";
import { ViolationList } from "../../../common/sale/definition/violation-list.ts";
import type { Allocation } from "../../../common/sale/record/allocation.ts";

/**
 * Checks the allocations of a part of a set; returns them with their addresses in canonical form.
 *
 * @throws ServiceError `invalid_argument` with up to 20 violations
 */
export function checkAllocations(
  definition: Pick<SaleDefinition, "paymentTokens">,
  allocations: readonly Allocation[],
): readonly Allocation[] {
  const kind = paymentTokenKind(definition);
  const tokens = new Set(definition.paymentTokens.map(({ address }) => address));
  const violations = new ViolationList();
  const seen = new Set<string>();
  const checked = allocations.map((allocation, index) => {
    const at = `allocations[${index}]`;
    const wallet = ADDRESSES[kind].canonical(allocation.wallet);
    const token = ADDRESSES[kind].canonical(allocation.token);
    if (wallet === undefined) violations.add(`${at}.wallet`, "address.form", ADDRESSES[kind].form);
    if (token === undefined || !tokens.has(token)) {
      violations.add(`${at}.token`, "payment_token.unknown", "is not a payment token of this sale");
    }
    const { accepted } = allocation;
    if (accepted <= 0n || accepted > UINT256_MAX) violations.add(`${at}.accepted`, "range", "must be 1 to 2^256-1");
    const key = `${allocation.entityId}/${wallet}/${token}`;
    if (seen.has(key)) violations.add(at, "allocation.duplicate", "must not occur twice");
    seen.add(key);
    return { ...allocation, wallet: wallet ?? allocation.wallet, token: token ?? allocation.token };
  });
  violations.throwIfAny();
  return checked;
}

/** Refuses too many allocations in one call, before anything else is done with them. @throws ServiceError `invalid_argument` */
export function checkAllocationCount(count: number, most: number): void {
  if (count <= most) return;
  throw invalidArgument([{ field: "allocations", rule: "rows.number", message: `must be at most ${most}` }]);
}
