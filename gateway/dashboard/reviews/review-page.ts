import { html } from "hono/html";
import { countryName } from "../../../common/platform/names/country-name.ts";
import type { Review } from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import { entityTypeText } from "../../web/pages/entity-type-text.ts";
import { hiddenFields, textField } from "../../web/pages/fields.ts";
import type { Html } from "../../web/pages/layout.ts";
import { utcTime } from "../../web/pages/utc-time.ts";
import { DASHBOARD_PATH } from "../../web/sessions/auth-paths.ts";
import { areaField } from "../base/area-field.ts";
import { tickField } from "../base/choice-fields.ts";
import { dashboardPage } from "../base/dashboard-page.ts";
import { REVIEWS_PATH, reviewPath } from "../base/dashboard-paths.ts";
import { errorOf, errorSummaryOf, type FormErrors } from "../base/form-errors.ts";
import { pageField, pageText } from "../base/form-table.ts";
import { DECISION_TABLE, type DecisionFormValues } from "./decision-form-values.ts";
import type { Reviewer } from "./reviewer.ts";

export const REVIEW_FORM = "decide review";

export interface ReviewView {
  readonly reviewer: Reviewer;
  readonly review: Review;
  readonly formValues: DecisionFormValues;
  readonly errors?: FormErrors;
}

/** Returns the page on which a reviewer decides about an entity. */
export function reviewPage({ reviewer, review, formValues, errors = [] }: ReviewView) {
  const { entity, email, submittedAt } = review;
  if (entity === undefined) throw new TypeError("a review has no entity");
  const path = reviewPath(entity.uuid);
  const hidden = hiddenFields(REVIEW_FORM, reviewer.sessionToken, { version: entity.version.toString() });
  return dashboardPage({
    title: `Review of ${entity.label}`,
    errors,
    crumbs: [
      { href: DASHBOARD_PATH, text: "My sales" },
      { href: REVIEWS_PATH, text: "Reviews" },
    ],
    content: html`${errorSummaryOf(errors)}<div class="page-head"><h1><bdi>${entity.label}</bdi></h1></div>
<div class="panels two"><div class="column"><section class="panel" aria-labelledby="who"><h2 id="who">What the user declared</h2>
<dl class="facts"><dt>Kind</dt><dd>${entityTypeText(entity.type)}</dd><dt>Name</dt><dd><bdi>${entity.label}</bdi></dd><dt>Country</dt><dd>${countryName(entity.country)}</dd>
<dt>Account</dt><dd><bdi>${email}</bdi></dd><dt>Waits since</dt><dd>${utcTime(submittedAt)}</dd></dl></section>
${approval({ path, hidden, formValues, errors })}</div>
<div class="column">${refusal({ path, hidden, formValues, errors })}</div></div>`,
  });
}

interface DecisionForm {
  readonly path: string;
  readonly hidden: Html;
  readonly formValues: DecisionFormValues;
  readonly errors: FormErrors;
}

/** The text that a field with a calendar can show. */
const CALENDAR_ENTRY = /^(?:\d{4}-\d\d-\d\d)?$/;

function approval({ path, hidden, formValues, errors }: DecisionForm): Html {
  return html`<section class="panel" aria-labelledby="approve"><h2 id="approve">Approve</h2>
<p>Check the identity outside of Tidemark first, and keep what you saw there: here goes only its reference.</p>
<form method="post" action="${path}" novalidate>${hidden}
${textField({ ...pageText(DECISION_TABLE.reference, formValues.reference, errors), attributes: html`maxlength="200" autocomplete="off"` })}
${textField({ ...pageText(DECISION_TABLE.country, formValues.country, errors), attributes: html`maxlength="60" autocomplete="off"` })}
${textField({ ...pageText(DECISION_TABLE.expires, formValues.expires, errors), isOptional: true, attributes: html`${CALENDAR_ENTRY.test(formValues.expires) && html`type="date"`}` })}
<div class="panel-foot"><button class="primary fit" name="do" value="approve">Approve</button></div></form></section>`;
}

function refusal({ path, hidden, formValues, errors }: DecisionForm): Html {
  return html`<section class="panel" aria-labelledby="refuse"><h2 id="refuse">Refuse</h2>
<form method="post" action="${path}" novalidate>${hidden}
${areaField({ ...pageField(DECISION_TABLE.reason), error: errorOf(errors, "reason") }, formValues.reason, html`rows="4" maxlength="500"`)}
${tickField(pageField(DECISION_TABLE.isFinal), formValues.isFinal)}
<div class="panel-foot"><button class="danger" name="do" value="refuse">Refuse</button></div></form></section>`;
}
