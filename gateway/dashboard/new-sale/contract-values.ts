import { canonicalAddress } from "../../../common/chains/addresses.ts";
import type { ListedToken } from "../base/listed-tokens.ts";
import type { ContractFacts } from "../definition/check-source.ts";
import type { SaleFormValues } from "../definition/sale-form-values.ts";

/**
 * Returns the form's values with what the contract says. Tokens that somebody has entered stay. A contract doesn't say what its tokens
 * are worth: only those of the operator's list are known to be a dollar, and the founder says which others are.
 *
 * @param listed those of the sale's chain
 */
export function withContract(
  values: SaleFormValues,
  facts: ContractFacts | undefined,
  listed: readonly ListedToken[],
): SaleFormValues {
  if (facts === undefined) return values;
  const { keepsAmounts = values.keepsAmounts, paymentTokens } = facts;
  const isEmpty = values.tokens.every(({ address }) => address === "");
  if (!isEmpty || paymentTokens.length === 0) return { ...values, keepsAmounts };
  const tokens = paymentTokens.map((address) => {
    const canonical = canonicalAddress(address);
    return { address, decimals: "", usdStablecoin: listed.some((token) => token.address === canonical) };
  });
  return { ...values, keepsAmounts, tokens };
}
