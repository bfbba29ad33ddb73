import { html } from "hono/html";
import type { SaleContract } from "../../../client/sale.ts";
import { fill } from "../../../common/platform/language/message.ts";
import type { Html } from "../../web/pages/layout.ts";
import { shortUnits } from "../browser/figures.js";
import { optionalPriceFigure } from "../browser/numbers.js";
import { offeredFigure } from "../browser/offer.js";
import { texts } from "../browser/words.js";
import type { SaleView } from "../view/sale-view.ts";

/** The page of a sale, for a wallet in the browser that reads the sale's contract. */
interface CheckedPage {
  readonly saleUuid: string;
  /** Path of the public read of positions. */
  readonly readPath: string;
}

interface DecidesParts {
  /** Who may take part, or the way there; undefined where that isn't for everybody. */
  readonly rules: Html | undefined;
  /** Undefined in a preview, of which nothing can be compared. */
  readonly checked?: CheckedPage;
}

/** Returns the rule by which the sale sells, who may take part, and a check that the page's figures are the contract's. */
export function decidesSection(view: SaleView, { rules, checked }: DecidesParts): Html {
  const { decides } = texts();
  const { Contract } = view.facts;
  const rule = ruleText(view);
  if (rule === undefined && Contract === undefined && rules === undefined) return html``;
  return html`<section class="panel decides" id="decides" aria-labelledby="decides-title">
<h2 id="decides-title">${decides.title}</h2>
${rule !== undefined && html`<p>${rule}</p>`}
${Contract !== undefined && html`<p>${decides.contract}</p>`}
${rules}
${isReadByPage(Contract) && checked !== undefined && walletCheck(checked)}
</section>`;
}

/** Whether the page's script can read the contract: one of a known chain that answers as the reference contract does. */
function isReadByPage(contract: SaleContract | undefined): boolean {
  return contract?.ChainID !== undefined && contract.Family === undefined;
}

/** Returns the price rule of a sale; undefined where an older commitments service doesn't say it. */
function ruleText({ facts, units }: SaleView): string | undefined {
  const { FloorNumerator, FloorDenominator, IncrementNumerator, IncrementDenominator, OfferedToken, Pricing } = facts;
  const { decides } = texts();
  const short = shortUnits(units);
  const price = optionalPriceFigure(facts.PriceNumerator, facts.PriceDenominator, short);
  if (Pricing === "fixed") return price && fill(decides.fixed, { price: price.text });
  const [floor, step] = [
    optionalPriceFigure(FloorNumerator, FloorDenominator, short),
    optionalPriceFigure(IncrementNumerator, IncrementDenominator, short),
  ];
  if (floor === undefined || step === undefined || OfferedToken.Amount === undefined) return undefined;
  const offered = offeredFigure(BigInt(OfferedToken.Amount), OfferedToken);
  const words = { floor: floor.text, offered: offered.text };
  if (facts.ClearingRule !== undefined) return fill(decides.outbidding, words);
  return fill(decides.auction, { ...words, step: step.text });
}

/** Returns the place of the comparison by the reader's wallet, which the script fills where there is a wallet. */
function walletCheck({ saleUuid, readPath }: CheckedPage): Html {
  return html`<div id="wallet-check" data-sale="${saleUuid}" data-read="${readPath}" hidden></div>`;
}
