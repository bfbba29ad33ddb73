import { html } from "hono/html";
import { fill } from "../../../common/platform/language/message.ts";
import { numberFormat } from "../../../common/platform/language/per-language.ts";
import type { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import type { Html } from "../../web/pages/layout.ts";
import { pageLanguage } from "../../web/texts/page-language.ts";
import { texts } from "../base/texts.ts";
import { metRequirements } from "./application-requirements.ts";
import type { KnownSale } from "./known-sale.ts";
import type { NextStep } from "./next-step.ts";
import { canOpen, mayOpen, stepsBeforeOpening } from "./next-steps.ts";
import type { SaleFacts } from "./sale-facts.ts";
import { stepsList } from "./steps-list.ts";
import { type WaitingStep, waitingSteps } from "./waiting-steps.ts";

/** A draft's list, and who reads it. */
export interface OpeningView extends Pick<KnownSale, "facts"> {
  readonly role: Role;
  /** Steps to list after those before the opening, and after what waits for them. */
  readonly further?: readonly NextStep[];
  /** Path of the page that shows the list, whose step is marked. */
  readonly path?: string;
}

/**
 * Returns the one checklist of a draft: what can be done now, then what waits and for what, then what is done. The sale's page and the
 * page that opens it show the same.
 */
export function openingList(view: OpeningView): Html {
  return html`${undoneItems(view)}
<details class="done"><summary>${doneOf(view.facts)}</summary>${doneItems(view.facts)}</details>`;
}

/** Returns the title of a draft's checklist. */
export function openingTitle(facts: SaleFacts): string {
  const words = texts().saleOverview;
  return canOpen(facts) ? words.canOpen : words.beforeOpening;
}

/** Returns what isn't done: what can be, and then what waits and for what. */
export function undoneItems({ facts, role, further = [], path }: OpeningView): Html {
  const missing = stepsBeforeOpening(facts);
  const waiting = waitingOf(facts);
  const { noApplications, also } = texts().checklist;
  return html`${facts.applications === undefined && html`<p class="quiet">${noApplications}</p>`}
${missing.length === 0 ? stepsList(further, role, path) : stepsList(missing, role, path)}
${waiting.length > 0 && html`<ul class="checklist waiting">${waiting.map(waitingItem)}</ul>`}
${missing.length > 0 && further.length > 0 && html`<h3>${also}</h3>${stepsList(further, role, path)}`}`;
}

/** Returns the list of what is done. */
export function doneItems(facts: SaleFacts): Html {
  return html`<ul class="checklist">${doneTexts(facts).map(doneItem)}</ul>`;
}

/** Returns how much of a draft's checklist is done. */
export function doneOf(facts: SaleFacts): string {
  const done = doneTexts(facts).length;
  const all = done + stepsBeforeOpening(facts).length + waitingOf(facts).length;
  const { format } = numberFormat(pageLanguage());
  return fill(texts().checklist.done, { done: format(done), all: format(all) });
}

function waitingOf(facts: SaleFacts): readonly WaitingStep[] {
  return mayOpen(facts) ? [] : waitingSteps(facts, stepsBeforeOpening(facts).length);
}

/** Returns what is done of that without which a draft can't open. */
function doneTexts(facts: SaleFacts): readonly string[] {
  const { contract, permits, openingProblems } = facts;
  const isSignerFine = permits?.enabled && permits.hasActiveKey && openingProblems?.length === 0;
  const words = texts().checklist;
  return [
    words.price,
    ...(contract === "good" ? [words.contract] : []),
    ...(facts.applications === undefined ? [] : metRequirements(facts.applications)),
    ...(isSignerFine ? [words.signer] : []),
  ];
}

function waitingItem({ text, waitsFor }: WaitingStep): Html {
  return html`<li class="waits"><span class="mark" role="img" aria-label="${texts().checklist.waits}">○</span><span>${text}<span class="quiet">, ${waitsFor}</span></span></li>`;
}

function doneItem(text: string): Html {
  return html`<li class="met"><span class="mark" role="img" aria-label="${texts().checklist.isDone}">✓</span><span>${text}</span></li>`;
}
