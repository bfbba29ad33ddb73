import { html } from "hono/html";
import { canonicalAddress } from "../../../common/chains/addresses.ts";
import { fill } from "../../../common/platform/language/message.ts";
import { auctionLines } from "../../../common/sale/words/auction-lines.ts";
import type { DefinitionLine } from "../../../common/sale/words/definition-lines.ts";
import type { Html } from "../../web/pages/layout.ts";
import { saidTexts } from "../base/said-text.ts";
import { texts } from "../base/texts.ts";
import type { ContractFacts, SourceCheck } from "../definition/check-source.ts";
import { auctionStyle } from "../definition/definition-style.ts";
import { factList } from "../definition/sale-form.ts";
import { labelOf, type SaleFormValues } from "../definition/sale-form-values.ts";
import type { FoundToken } from "../definition/token-check.ts";

/**
 * Returns what the contract of the first step says, for the steps after it, and what of it differs from the form's values. Empty where
 * nothing is known.
 *
 * @param found the facts of the form's tokens on the chain, in their order
 */
export function contractPanel({ state, text, facts }: SourceCheck, sale: SaleFormValues, found: readonly FoundToken[]) {
  if (state === "unknown") return html``;
  const title = facts === undefined ? labelOf("address") : texts().newSale.contractTitle;
  return html`<section class="panel from-contract" aria-labelledby="contract-says"><h2 id="contract-says">${title}</h2>
<p class="state-${state}">${saidTexts(text)}</p>
${facts && html`${untakenTokens(facts, sale, found)}${factList(factLines(facts, sale, found))}`}</section>`;
}

/** The tokens of the form that the contract doesn't take. The other way round, it is a fault of the contract's check. */
function untakenTokens(
  { paymentTokens }: ContractFacts,
  { tokens }: SaleFormValues,
  found: readonly FoundToken[],
): Html {
  if (paymentTokens.length === 0) return html``;
  const taken = new Set(paymentTokens.map(canonicalAddress));
  const untaken = tokens.flatMap(({ address }, index) =>
    address === "" || taken.has(canonicalAddress(address)) ? [] : [found[index]?.symbol || address],
  );
  return html`${untaken.map((token) => html`<p class="state-bad">${fill(texts().newSale.untakenToken, { token })}</p>`)}`;
}

function factLines(
  { paymentTokens, version, keepsAmounts, maxWallets, stated }: ContractFacts,
  { tokens }: SaleFormValues,
  found: readonly FoundToken[],
): readonly DefinitionLine[] {
  const words = texts().newSale;
  const takes = paymentTokens.map((address): DefinitionLine => {
    const index = tokens.findIndex((token) => canonicalAddress(token.address) === canonicalAddress(address));
    const { symbol = "", decimals = "" } = found[index] ?? {};
    const isNamed = symbol !== "" && decimals !== "";
    return { label: words.takes, ...(isNamed ? named(symbol, decimals, address) : { text: address }) };
  });
  if (stated !== undefined) return [...auctionLines(stated.auction, stated.definition, auctionStyle()), ...takes];
  return [
    ...(takes.length === 0 ? [{ label: words.takes, text: words.unsaid }] : takes),
    { label: words.version, text: version === 0 ? words.unsaid : String(version) },
    ...(keepsAmounts === undefined
      ? []
      : [{ label: words.cancelled, text: keepsAmounts ? words.cancelledKeep : words.cancelledLose }]),
    ...(maxWallets === undefined
      ? []
      : [{ label: words.wallets, text: fill(words.walletsAtMost, { count: String(maxWallets) }) }]),
  ];
}

function named(symbol: string, decimals: string, address: string) {
  return { text: fill(texts().newSale.namedToken, { symbol, decimals }), detail: address };
}
