import { ADDRESSES } from "../../../../common/chains/addresses.ts";
import { paymentTokenKind } from "../../../../common/sale/definition/payment-tokens.ts";
import type { SaleDefinition } from "../../../../common/sale/definition/sale.ts";
import { UINT256_MAX } from "../../../../common/sale/definition/uint.ts";
import { ViolationList } from "../../../../common/sale/definition/violation-list.ts";
import { type TokenAmount, type TokenAmounts, withoutZeros } from "../../../../common/sale/record/token-amounts.ts";

/**
 * Checks totals by token. A token needn't be one of the sale: a contract may know of more.
 *
 * @param field the field of the request that has them
 * @throws ServiceError `invalid_argument` with up to 20 violations
 */
export function checkTotals(
  field: string,
  definition: Pick<SaleDefinition, "paymentTokens">,
  totals: readonly TokenAmount[],
): TokenAmounts {
  const kind = paymentTokenKind(definition);
  const violations = new ViolationList();
  const checked = new Map<string, bigint>();
  for (const [index, { token, amount }] of totals.entries()) {
    const at = `${field}.accepted[${index}]`;
    const canonical = ADDRESSES[kind].canonical(token);
    if (canonical === undefined) violations.add(`${at}.token`, "address.form", ADDRESSES[kind].form);
    if (checked.has(canonical ?? token)) violations.add(`${at}.token`, "token.duplicate", "must not occur twice");
    if (amount < 0n || amount > UINT256_MAX) violations.add(`${at}.amount`, "range", "must be 0 to 2^256-1");
    checked.set(canonical ?? token, amount);
  }
  violations.throwIfAny();
  return withoutZeros(checked);
}
