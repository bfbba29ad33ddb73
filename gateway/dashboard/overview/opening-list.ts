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
import { mayOpen, stepsBeforeOpening } from "./next-steps.ts";
import type { SaleFacts } from "./sale-facts.ts";
import { stepsList } from "./steps-list.ts";
import { type WaitingStep, waitingSteps } from "./waiting-steps.ts";

/** A draft's list, and who reads it. */
export interface OpeningView extends Pick<KnownSale, "facts"> {
  readonly role: Role;
  /** Steps to list after those before the opening, and after what waits for them. */
  readonly further?: readonly NextStep[];
}

/**
 * Returns the one checklist of a draft: what can be done now, then what waits and for what, then what is done. The sale's page and the
 * page that opens it show the same.
 */
export function openingList({ facts, role, further = [] }: OpeningView): Html {
  const missing = stepsBeforeOpening(facts);
  const waiting = mayOpen(facts) ? [] : waitingSteps(facts, missing.length);
  const done = doneTexts(facts);
  const { noApplications, also } = texts().checklist;
  return html`${facts.applications === undefined && html`<p class="quiet">${noApplications}</p>`}
${missing.length === 0 ? stepsList(further, role) : stepsList(missing, role)}
${waiting.length > 0 && html`<ul class="checklist waiting">${waiting.map(waitingItem)}</ul>`}
${missing.length > 0 && further.length > 0 && html`<h3>${also}</h3>${stepsList(further, role)}`}
${done.length > 0 && html`<details class="done"><summary>${doneOf(done.length, done.length + missing.length + waiting.length)}</summary><ul class="checklist">${done.map(doneItem)}</ul></details>`}`;
}

function doneOf(done: number, all: number): string {
  const { format } = numberFormat(pageLanguage());
  return fill(texts().checklist.done, { done: format(done), all: format(all) });
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
