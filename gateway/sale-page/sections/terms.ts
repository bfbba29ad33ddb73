import { html } from "hono/html";
import type { Message } from "../../../common/platform/language/message.ts";
import { fillHtml } from "../../web/pages/fill-html.ts";
import type { Html } from "../../web/pages/layout.ts";
import { timeText } from "../browser/times.js";
import { texts } from "../browser/words.js";
import type { SaleView } from "../view/sale-view.ts";

/** Returns what the founder says about claims, refunds and vesting, marked as the founder's word. */
export function termsSection({ facts }: SaleView): Html {
  const { ClaimsAt, ClaimTerms, RefundedBy, RefundTerms, VestedBy, VestingTerms } = facts;
  const { terms } = texts();
  const entries = [
    entry(terms.claim, terms.claimFrom, ClaimsAt, ClaimTerms),
    entry(terms.refund, terms.refundedBy, RefundedBy, RefundTerms),
    entry(terms.vesting, terms.vestedBy, VestedBy, VestingTerms),
  ].filter((each) => each !== undefined);
  return html`<section class="panel terms" data-part="terms" aria-labelledby="terms"${entries.length === 0 && html` hidden`}>
<h2 id="terms">${terms.title}</h2>
<p class="quiet">${terms.byFounder}</p>
<dl class="facts">${entries}</dl>
</section>`;
}

function entry(
  label: string,
  when: Message<"time">,
  time: string | undefined,
  text: string | undefined,
): Html | undefined {
  if (time === undefined && text === undefined) return undefined;
  const moment = time !== undefined && html`<p>${fillHtml(when, { time: timeHtml(time) })}</p>`;
  return html`<dt>${label}</dt><dd>${moment}${text !== undefined && html`<p lang="" dir="auto">${text}</p>`}</dd>
`;
}

function timeHtml(time: string): Html {
  return html`<time datetime="${time}" data-shape="minute">${timeText(time, "minute")}</time>`;
}
