import { html } from "hono/html";
import type { EntitySetupState, FailureReason, PurchaseCheck, SaleEligibility } from "../../../client/index.ts";
import { type AnswerText, ELIGIBILITY_TEXTS, REASON_TEXTS, SETUP_TEXTS } from "./answer-texts.ts";
import { documentOf, type Html } from "./document.ts";

export const STATES_PATH = "/states";

/** An address of the demo, for the check that wants a proof of presence. */
const LIVENESS_PAGE = "/account/liveness";

/** Every state that an application meets, in words, with the API's answer. @param issuer `AUTH_URL` */
export function statesPage(issuer: string): Html {
  const setups = Object.entries(SETUP_TEXTS) as [EntitySetupState, AnswerText][];
  const eligibilities = Object.entries(ELIGIBILITY_TEXTS) as [SaleEligibility, string][];
  const reasons = Object.entries(REASON_TEXTS) as [FailureReason, AnswerText][];
  return documentOf(html`<h1>Every state that an application meets</h1>
<p class="lead">What the API answers, and what to tell the user. In this demo you can choose the result of an identity check at
<a href="${issuer}/account">your account</a>, and see the answer here for yourself.</p>
<p><a class="button" href="/">Back</a></p>
<section class="now"><h2>How far the identity check is</h2>
<p><code>list-available-entities</code> and <code>read-entity</code> answer with one of these as <code>EntitySetupState</code>:</p>
${setups.map(([state, text]) => stateDetails(state, text, { EntitySetupState: state, SaleEligibility: eligibilityOf(state) }))}
</section>
<section class="now"><h2>Whether the entity may take part</h2>
<p>And with one of these as <code>SaleEligibility</code>:</p>
<dl>${eligibilities.map(([state, text]) => html`<dt><code>${state}</code></dt><dd>${text}</dd>`)}</dl>
</section>
<section class="now"><h2>Why there is no permit</h2>
<p><code>pre-purchase-check</code> answers with the first of these that holds; <code>generate-purchase-permit</code> then has
status 400 and the reason in <code>details</code>.</p>
${reasons.map(([reason, text]) => stateDetails(reason, text, checkAnswer(reason, issuer)))}
</section>`);
}

function stateDetails(name: string, { meaning, advice }: AnswerText, answer: object): Html {
  return html`<details><summary><code>${name}</code></summary>
<p>${meaning} <b>${advice}</b></p>
<h3>Answer</h3><pre>${JSON.stringify(answer, null, 2)}</pre></details>`;
}

function eligibilityOf(state: EntitySetupState): SaleEligibility {
  return state === "complete" ? "eligible" : "unknown-setup-incomplete";
}

function checkAnswer(FailureReason: FailureReason, issuer: string): PurchaseCheck {
  const LivenessCheckURL = FailureReason === "requires-liveness" ? `${issuer}${LIVENESS_PAGE}` : "";
  return { ReadyToPurchase: false, FailureReason, LivenessCheckURL };
}
