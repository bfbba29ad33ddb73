import { html } from "hono/html";
import { hasEnded } from "../../../common/sale/state/phase.ts";
import type { Html } from "../../web/pages/layout.ts";
import { texts } from "../browser/words.js";
import type { SaleView } from "../view/sale-view.ts";

/**
 * Returns the place in which the script of an auction works out what would come of a bid, as long as one can bid. By another rule than
 * the usual one that isn't known before the contract has the bid.
 */
export function whatIfSection({ facts, figures, stage }: SaleView): Html | undefined {
  if (figures.clearing === undefined || facts.ClearingRule !== undefined) return undefined;
  return html`<section class="panel what-if needs-script" id="what-if" aria-labelledby="what-if-title"${hasEnded(stage.phase) && html` hidden`}><h2 id="what-if-title">${texts().whatIf.title}</h2></section>`;
}
