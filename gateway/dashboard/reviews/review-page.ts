import { type Timestamp, timestampMs } from "@bufbuild/protobuf/wkt";
import { html } from "hono/html";
import { fill } from "../../../common/platform/language/message.ts";
import { countryName } from "../../../common/platform/names/country-name.ts";
import {
  type EntityDecision,
  type Review,
  type ReviewEntry,
  ReviewEntryKind,
} from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import { entityTypeText } from "../../web/pages/entity-type-text.ts";
import { hiddenFields, textField } from "../../web/pages/fields.ts";
import { fillHtml } from "../../web/pages/fill-html.ts";
import type { Html } from "../../web/pages/layout.ts";
import { utcTime } from "../../web/pages/utc-time.ts";
import { pageLanguage } from "../../web/texts/page-language.ts";
import { areaField } from "../base/area-field.ts";
import { tickField } from "../base/choice-fields.ts";
import { dashboardPage, doneLine } from "../base/dashboard-page.ts";
import { REVIEWS_PATH, reviewPath } from "../base/dashboard-paths.ts";
import { errorOf, errorSummaryOf, type FormErrors } from "../base/form-errors.ts";
import { pageField, pageText } from "../base/form-table.ts";
import { salesCrumb } from "../base/sale-crumbs.ts";
import { pageTexts, texts } from "../base/texts.ts";
import { DECISION_TABLE, type DecisionFormValues } from "./decision-form-values.ts";
import type { Reviewer } from "./reviewer.ts";

export const REVIEW_FORM = "decide review";

export interface ReviewView {
  readonly reviewer: Reviewer;
  readonly review: Review;
  readonly formValues: DecisionFormValues;
  readonly errors?: FormErrors;
  /** Whether a note was added just now. */
  readonly isNoted?: boolean;
}

/** Returns the page on which a reviewer decides about an entity. Its parts are one form, so that none loses what was entered in another. */
export function reviewPage({ reviewer, review, formValues, errors = [], isNoted = false }: ReviewView) {
  const { entity, email, submittedAt } = review;
  if (entity === undefined) throw new TypeError("a review has no entity");
  const path = reviewPath(entity.uuid);
  const hidden = hiddenFields(REVIEW_FORM, reviewer.sessionToken, { version: entity.version.toString() });
  const form = { formValues, errors };
  const words = texts().reviews;
  return dashboardPage({
    title: fill(words.titleOf, { entity: entity.label }),
    errors,
    crumbs: [salesCrumb(), { href: REVIEWS_PATH, text: words.title }],
    content: html`${doneLine(isNoted ? words.noted : undefined)}${errorSummaryOf(errors)}<div class="page-head"><h1><bdi>${entity.label}</bdi></h1></div>
<form method="post" action="${path}" novalidate class="panels two">${hidden}${noDefaultButton()}<div class="column"><section class="panel" aria-labelledby="who"><h2 id="who">${words.declared}</h2>
<dl class="facts"><dt>${words.kind}</dt><dd>${entityTypeText(entity.type, pageTexts())}</dd><dt>${words.name}</dt><dd><bdi>${entity.label}</bdi></dd><dt>${words.country}</dt><dd>${countryName(entity.country, pageLanguage())}</dd>
<dt>${words.account}</dt><dd><bdi>${email}</bdi></dd><dt>${words.waits}</dt><dd>${utcTime(submittedAt)}</dd></dl>${checkLink(review)}</section>
${historyPanel(review)}${note(form)}</div>
<div class="column">${approval(form)}${question(form)}${refusal(form)}</div></form>`,
  });
}

/** Returns the button that the Enter key presses, instead of the first decision: as it is disabled, the key sends nothing. */
function noDefaultButton(): Html {
  return html`<button class="default-submit" disabled tabindex="-1" aria-hidden="true">${texts().reviews.approve}</button>`;
}

interface DecisionForm {
  readonly formValues: DecisionFormValues;
  readonly errors: FormErrors;
}

/** The text that a field with a calendar can show. */
const CALENDAR_ENTRY = /^(?:\d{4}-\d\d-\d\d)?$/;

function approval({ formValues, errors }: DecisionForm): Html {
  const words = texts().reviews;
  return html`<section class="panel" aria-labelledby="approve"><h2 id="approve">${words.approve}</h2>
<p>${words.approveText}</p>
${textField({ ...pageText(DECISION_TABLE.reference, formValues.reference, errors), attributes: html`maxlength="200" autocomplete="off"` })}
${textField({ ...pageText(DECISION_TABLE.country, formValues.country, errors), attributes: html`maxlength="60" autocomplete="off"` })}
${textField({ ...pageText(DECISION_TABLE.expires, formValues.expires, errors), isOptional: true, attributes: html`${CALENDAR_ENTRY.test(formValues.expires) && html`type="date"`}` })}
<div class="panel-foot"><button class="primary fit" name="do" value="approve">${words.approve}</button></div></section>`;
}

/** Returns the link to the page of the outside check, where the operator has configured one. */
function checkLink({ checkUrl }: Review): Html | undefined {
  if (checkUrl === "") return undefined;
  return html`<div class="panel-foot"><a class="button secondary" href="${checkUrl}" target="_blank" rel="noopener noreferrer">${texts().reviews.openCheck}</a></div>`;
}

function question({ formValues, errors }: DecisionForm): Html {
  return html`<section class="panel" aria-labelledby="ask"><h2 id="ask">${texts().reviews.ask}</h2>
${areaField({ ...pageField(DECISION_TABLE.question), error: errorOf(errors, "question") }, formValues.question, html`rows="4" maxlength="500"`)}
<div class="panel-foot"><button class="secondary fit" name="do" value="ask">${texts().reviews.askUser}</button></div></section>`;
}

function note({ formValues, errors }: DecisionForm): Html {
  return html`<section class="panel" aria-labelledby="note-for-reviewers"><h2 id="note-for-reviewers">${texts().reviews.noteTitle}</h2>
${areaField({ ...pageField(DECISION_TABLE.note), error: errorOf(errors, "note") }, formValues.note, html`rows="3" maxlength="2000"`)}
<div class="panel-foot"><button class="secondary fit" name="do" value="note">${texts().reviews.addNote}</button></div></section>`;
}

type EntryText = "entryUnknown" | "entryNote" | "entryQuestion" | "entryAnswer";

/** The names of the texts of what somebody has written. */
const ENTRY_KINDS: Readonly<Record<ReviewEntryKind, EntryText>> = {
  [ReviewEntryKind.UNSPECIFIED]: "entryUnknown",
  [ReviewEntryKind.NOTE]: "entryNote",
  [ReviewEntryKind.QUESTION]: "entryQuestion",
  [ReviewEntryKind.ANSWER]: "entryAnswer",
};

/** Returns what was decided and written so far, the newest first. */
function historyPanel({ decisions, entries }: Review): Html {
  const timeOf = (at: Timestamp | undefined) => (at === undefined ? 0 : timestampMs(at));
  // A question itself is among the entries.
  const decided = decisions.filter(({ asked }) => !asked);
  const items = [
    ...decided.map((decision) => ({ atMs: timeOf(decision.decidedAt), item: decisionItem(decision) })),
    ...entries.map((entry) => ({ atMs: timeOf(entry.at), item: entryItem(entry) })),
  ].toSorted((a, b) => b.atMs - a.atMs);
  return html`<section class="panel" aria-labelledby="so-far"><h2 id="so-far">${texts().reviews.soFar}</h2>
${items.length === 0 ? html`<p class="quiet">${texts().reviews.nothing}</p>` : html`<ol class="list">${items.map(({ item }) => item)}</ol>`}</section>`;
}

function decisionItem({ approved, final, by, decidedAt, approvalExpiresAt }: EntityDecision): Html {
  const { isApproved, isRefused, isFinal, approvedUntil } = texts().reviews;
  const refused = final ? isFinal : isRefused;
  const decision = html`<strong>${approved ? isApproved : refused}</strong>`;
  const whole = approvalExpiresAt ? fillHtml(approvedUntil, { decision, time: utcTime(approvalExpiresAt) }) : decision;
  return html`<li><div class="grow"><p>${whole}</p>${byLine(by, decidedAt)}</div></li>`;
}

function entryItem({ kind, text, by, at }: ReviewEntry): Html {
  return html`<li><div class="grow"><p><strong>${texts().reviews[ENTRY_KINDS[kind] ?? "entryUnknown"]}</strong></p><p><bdi lang="">${text}</bdi></p>${byLine(by, at)}</div></li>`;
}

function byLine(by: string, at: Timestamp | undefined): Html {
  const time = utcTime(at);
  const whole = by === "" ? time : fillHtml(texts().reviews.by, { time, person: html`<bdi>${by}</bdi>` });
  return html`<p class="quiet">${whole}</p>`;
}

function refusal({ formValues, errors }: DecisionForm): Html {
  return html`<section class="panel" aria-labelledby="refuse"><h2 id="refuse">${texts().reviews.refuse}</h2>
${areaField({ ...pageField(DECISION_TABLE.reason), error: errorOf(errors, "reason") }, formValues.reason, html`rows="4" maxlength="500"`)}
${tickField(pageField(DECISION_TABLE.isFinal), formValues.isFinal)}
<div class="panel-foot"><button class="danger" name="do" value="refuse">${texts().reviews.refuse}</button></div></section>`;
}
