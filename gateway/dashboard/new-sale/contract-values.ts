import { canonicalAddress } from "../../../common/chains/addresses.ts";
import type { SaleDefinition } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { ListedToken } from "../base/listed-tokens.ts";
import type { ContractFacts } from "../definition/check-source.ts";
import { formValuesOfDefinition } from "../definition/sale-definition-form.ts";
import { NEW_SALE_VALUES, type SaleFormValues } from "../definition/sale-form-values.ts";
import type { PresentationFormValues } from "../presentation/presentation-form-values.ts";
import type { NewSaleValues } from "./new-sale-values.ts";

/**
 * Returns the form's values with what the contract says. Tokens that somebody has entered stay, but an auction that states its terms says
 * all about prices and tokens. A contract doesn't say what its tokens are worth: only those of the operator's list are known to be a
 * dollar, and the founder says which others are.
 *
 * @param listed those of the sale's chain
 */
export function withContract(
  values: NewSaleValues,
  facts: ContractFacts | undefined,
  listed: readonly ListedToken[],
): NewSaleValues {
  if (facts === undefined) return values;
  const { definition } = facts.stated ?? {};
  if (definition !== undefined) return withStated(values, definition, listed);
  return { ...values, sale: withFacts(withoutStated(values.sale), facts, listed) };
}

function withFacts(
  values: SaleFormValues,
  { keepsAmounts = values.keepsAmounts, paymentTokens }: ContractFacts,
  listed: readonly ListedToken[],
): SaleFormValues {
  const isEmpty = values.tokens.every(({ address }) => address === "");
  if (!isEmpty || paymentTokens.length === 0) return { ...values, keepsAmounts };
  const tokens = paymentTokens.map((address) => ({ address, decimals: "", usdStablecoin: isListed(address, listed) }));
  return { ...values, keepsAmounts, tokens };
}

/** Returns the values with the settings that follow from an auction. What was chosen of the same token stays. */
function withStated(values: NewSaleValues, definition: SaleDefinition, listed: readonly ListedToken[]): NewSaleValues {
  const { sale, words } = values;
  const { name, tenancy, source, chain, address, extraData } = sale;
  const stated = formValuesOfDefinition(definition, "test");
  const tokens = stated.tokens.map((token) => {
    const before = sale.tokens.find((one) => canonicalAddress(one.address) === token.address);
    return { ...token, usdStablecoin: before?.usdStablecoin ?? isListed(token.address, listed) };
  });
  const symbol = definition.presentation?.offeredTokenSymbol ?? "";
  return {
    ...values,
    sale: { ...stated, name, tenancy, source, chain, address, extraData, tokens },
    words: withSymbol(words, symbol),
  };
}

/** The symbol that was entered stays. */
function withSymbol(words: PresentationFormValues, symbol: string): PresentationFormValues {
  return symbol === "" || (words["symbol"] ?? "") !== "" ? words : { ...words, symbol };
}

/** Returns the values for another contract, without what the present one has stated. */
export function withoutStated(values: SaleFormValues): SaleFormValues {
  if (values.contractFamily === "") return values;
  const { name, tenancy, source, chain, address, extraData } = values;
  return { ...NEW_SALE_VALUES, name, tenancy, source, chain, address, extraData };
}

function isListed(address: string, listed: readonly ListedToken[]): boolean {
  const canonical = canonicalAddress(address);
  return listed.some((token) => token.address === canonical);
}
