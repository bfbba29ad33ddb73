import { canonicalAddress } from "../../../common/chains/addresses.ts";
import type { PageForm } from "../../web/pages/page-form.ts";
import type { ListedToken, ListedTokens } from "../base/listed-tokens.ts";
import { MAX_TOKENS, NEW_SALE_VALUES, type SaleFormValues } from "../definition/sale-form-values.ts";

/** Names of the field that says whose list a form shows, and of its boxes. */
export const LIST_FIELD = "stablecoins_of";
export const CHOICE_FIELD = "stablecoin";

/** A form's choice from the list. */
export interface TokenChoice {
  /** The chain whose list the form has shown; empty for a form without one. */
  readonly chain: string;
  /** Addresses that are ticked. */
  readonly chosen: readonly string[];
}

/**
 * Returns the values with the tokens that are ticked, and without those of the list that aren't. Of the list of another chain, nothing
 * stays.
 *
 * @param listed those of the sale's chain
 */
export function withChosenTokens(
  values: SaleFormValues,
  { chain, chosen }: TokenChoice,
  listed: readonly ListedToken[],
  tokens: ListedTokens,
): SaleFormValues {
  if (chain === "") return values;
  const wanted = chain === values.chain ? listed.filter(({ address }) => chosen.includes(address)) : [];
  const isWanted = (address: string) => wanted.some((one) => one.address === canonicalAddress(address));
  const stay = values.tokens.filter(({ address }) => !tokens.has(address) || isWanted(address));
  const has = (address: string) => stay.some((token) => canonicalAddress(token.address) === address);
  const added = wanted
    .filter(({ address }) => !has(address))
    .map(({ address, decimals }) => ({ address, decimals, usdStablecoin: true }));
  const all = added.length === 0 ? stay : [...stay.filter(({ address }) => address !== ""), ...added];
  return { ...values, tokens: (all.length === 0 ? NEW_SALE_VALUES.tokens : all).slice(0, MAX_TOKENS) };
}

/** Reads a form's choice. */
export function tokenChoice(form: PageForm): TokenChoice {
  return { chain: form.text(LIST_FIELD), chosen: form.all(CHOICE_FIELD) };
}
