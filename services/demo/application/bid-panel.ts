import { html } from "hono/html";
import type { Entity, Position, PositionCommitment } from "../../../client/index.ts";
import type { DemoSale } from "../sales/demo-sales.ts";
import { ELIGIBILITY_TEXTS, outcomeText, REASON_TEXTS, SETUP_TEXTS } from "./answer-texts.ts";
import type { Bidding } from "./bidding.ts";
import { actionButton, type Html } from "./document.ts";
import { priceInNow } from "./price-in-now.ts";
import { STATES_PATH } from "./states-page.ts";
import { type OwnBid, type OwnPermit, type Refusal, readyEntities, type Visit } from "./visits.ts";

export interface BidPanelOptions {
  /** `AUTH_URL`. */
  readonly issuer: string;
  /** Address of the sale's live page. */
  readonly livePage: string;
  readonly sale: DemoSale;
  readonly bidding: Bidding;
}

const NOT_KNOWN =
  "This application doesn’t know who takes part. If you didn’t let it see that, start again and allow it; otherwise ask again.";
const NO_ENTITY =
  "You have no entity that this application sees. Add yourself at Tidemark, or show it one that you left out; in this demo nobody is checked. When you come back, this page goes on by itself.";
const NONE_READY =
  "None can bid yet. If an identity check isn’t complete, choose another result at Tidemark: in this demo nobody is checked. When you come back, this page asks again by itself. Or ask for a permit anyway, and see the reason.";
const SEVERAL_READY = "Several can bid: choose one.";

/** Returns the panel with the steps of a bid: those that are done, and the one that the user can do next. */
export function bidPanel(visit: Visit, options: BidPanelOptions): Html {
  const { permit, refusal, steps } = visit;
  const problem = steps.at(-1)?.problem;
  return html`<section class="now"><h2>Bid in the demo auction</h2>
${absenceNote(options.bidding)}
${problem && html`<p class="problem" role="alert"><b>Refused.</b> ${problem}</p>`}
${visit.bid && bidPart(visit.bid, visit.position, options)}
${permit && permitPart(permit, visit, options)}
${refusal && refusalPart(refusal)}
${entityPart(visit, options)}
</section>`;
}

/** Says why nobody can bid, where that is so. */
export function absenceNote(bidding: Bidding): Html {
  if (!("absence" in bidding)) return html``;
  return html`<p class="note">Nobody can bid here: ${bidding.absence}. You can still ask for everything else.</p>`;
}

/** Says why there is no permit, and leads to the proof of presence where that is missing. */
function refusalPart({ entity, check: { FailureReason, LivenessCheckURL } }: Refusal): Html {
  const proof = html`<p><a class="button primary" href="${LivenessCheckURL}">Prove at Tidemark that you are there</a></p>`;
  return html`<p class="problem" role="alert"><b>No permit for ${entity.Label}.</b> ${FailureReason && REASON_TEXTS[FailureReason].meaning}</p>
${LivenessCheckURL && proof}`;
}

function entityPart(visit: Visit, { issuer }: BidPanelOptions): Html {
  const { entities = [], wallet, permit } = visit;
  const ready = readyEntities(visit);
  const isNext = permit === undefined && ready.length > 0;
  const form = permitForm(entities, isNext, wallet?.address);
  return html`<h3>Who takes part</h3>
${entities.length > 0 && html`<ul>${entities.map(entityItem)}</ul>`}
${ready.length === 0 && howToBeReady(visit, issuer)}
${isNext && ready.length > 1 && html`<p>${SEVERAL_READY}</p>`}
${permit && html`<details><summary>Another permit</summary>${form}</details>`}
${permit === undefined && entities.length > 0 && form}
<div class="actions">${actionButton("/entities", "Ask again")}<a class="button" href="${STATES_PATH}">See the other states</a></div>`;
}

function entityItem({ Label, EntityType, EntitySetupState, SaleEligibility }: Entity): Html {
  const kind = EntityType === "user" ? "a person" : "an organization";
  return html`<li><b>${Label}</b>, ${kind}: ${SETUP_TEXTS[EntitySetupState].meaning} ${ELIGIBILITY_TEXTS[SaleEligibility]}</li>`;
}

function howToBeReady({ entities }: Visit, issuer: string): Html {
  if (entities === undefined) return html`<p>${NOT_KNOWN}</p>${actionButton("/again", "Start again", "primary")}`;
  const isNobody = entities.length === 0;
  return html`<p>${isNobody ? NO_ENTITY : NONE_READY}</p>
<p><a class="button primary" href="${issuer}/account">${isNobody ? "Add yourself at Tidemark" : "Your account at Tidemark"}</a></p>`;
}

function permitForm(entities: readonly Entity[], isNext: boolean, wallet: string | undefined): Html {
  return html`<form method="post" action="/permit" class="fields">
<label for="entity">Who bids</label><select id="entity" name="entity">${entities.map(({ EntityID, Label }) => html`<option value="${EntityID}">${Label}</option>`)}</select>
<p class="hint">${wallet === undefined ? "The application’s server makes a test wallet for you." : html`Your test wallet: <code>${wallet}</code>`}</p>
<button class="${isNext ? "primary" : ""}">Ask for a permit</button>
</form>`;
}

function permitPart({ permit, limits, entity }: OwnPermit, visit: Visit, options: BidPanelOptions): Html {
  const { sale, livePage, bidding } = options;
  const { PermitJSON } = permit;
  const until = new Date(PermitJSON.ExpiresAt * 1_000).toISOString();
  const [min, max] = [limits.MinCommitmentAmount, limits.MaxCommitmentAmount].map(
    (text) => BigInt(text) / sale.oneToken,
  );
  return html`<h3>The permit</h3>
<p>For <b>${entity.Label}</b>: ${min} to ${max} dollars in all, at ${PermitJSON.MinPrice} ticks or more, with a bid before
<time datetime="${until}">${until.slice(11, 19)} UTC</time>. A tick is a tenth of a cent.</p>
${
  "newWallet" in bidding &&
  html`${bidForm(visit, sale)}
<p>Open <a href="${livePage}" target="_blank" rel="noopener">the live page (new tab)</a> first, and watch the bid arrive there.</p>`
}`;
}

function bidForm(visit: Visit, sale: DemoSale): Html {
  const { bid, position } = visit;
  const amount = bid === undefined ? "" : bid.amount / sale.oneToken;
  const price = bid?.priceTicks ?? priceInNow(sale, visit);
  const clearing = position?.ClearingPriceNumerator;
  const number = html`type="text" inputmode="numeric" pattern="[0-9]{1,9}" required`;
  return html`<form method="post" action="/bid" class="fields">
<label for="amount">Total, in whole dollars</label><input id="amount" name="amount" value="${amount}" ${number}>
<label for="price">Price of a token, in ticks</label><input id="price" name="price" value="${price}" ${number}>
${clearing && html`<p class="hint">The clearing price is ${clearing} ticks now. A bid above it is in, until others bid more.</p>`}
<label for="token">Paid with</label><select id="token" name="token">${sale.definition.paymentTokens.map(
    ({ address, symbol }) =>
      html`<option value="${address}"${bid?.token === address ? html` selected` : ""}>${symbol}</option>`,
  )}</select>
<p class="hint">${bid && "A bid can only be raised: neither total nor price may fall. "}The contract refuses what the permit doesn’t allow: try it.</p>
<button class="primary">${bid === undefined ? "Bid" : "Raise the bid"}</button>
</form>`;
}

function bidPart({ block, confirmedAtMs }: OwnBid, position: Position | undefined, options: BidPanelOptions): Html {
  const confirmed = new Date(confirmedAtMs).toISOString();
  return html`<h3>Your position</h3>
<p>Confirmed in block ${block} at <time id="confirmed" datetime="${confirmed}">${confirmed.slice(11, 19)} UTC</time>. It is on <a
href="${options.livePage}" target="_blank" rel="noopener">the live page (new tab)</a> with everybody’s.</p>
${position?.Commitments.map((commitment) => positionList(commitment, options.sale))}
${actionButton("/position", "Look again")}`;
}

function positionList(commitment: PositionCommitment, sale: DemoSale): Html {
  const { CommitmentID, PriceNumerator, Amounts } = commitment;
  const symbolOf = (token: string) =>
    sale.definition.paymentTokens.find(({ address }) => address === token)?.symbol ?? token;
  return html`<dl><dt>Commitment</dt><dd><code>${CommitmentID}</code></dd>
<dt>Now</dt><dd>${outcomeText(commitment)}</dd>
<dt>Price</dt><dd>${PriceNumerator} ticks</dd>
${Amounts.map(({ TokenAddress, Amount }) => html`<dt>Amount</dt><dd>${BigInt(Amount) / sale.oneToken} ${symbolOf(TokenAddress)}</dd>`)}</dl>`;
}
