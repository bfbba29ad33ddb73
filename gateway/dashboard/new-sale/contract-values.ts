import type { ContractFacts } from "../definition/check-source.ts";
import type { SaleFormValues } from "../definition/sale-form-values.ts";

/** Returns the form's values with what the contract says. Tokens that somebody has entered stay. */
export function withContract(values: SaleFormValues, facts: ContractFacts | undefined): SaleFormValues {
  if (facts === undefined) return values;
  const { keepsAmounts = values.keepsAmounts, paymentTokens } = facts;
  const isEmpty = values.tokens.every(({ address }) => address === "");
  if (!isEmpty || paymentTokens.length === 0) return { ...values, keepsAmounts };
  const [first] = values.tokens;
  const tokens = paymentTokens.map((address) => ({
    ...{ address, decimals: "", usdStablecoin: first?.usdStablecoin ?? true },
  }));
  return { ...values, keepsAmounts, tokens };
}
