import { html } from "hono/html";
import type { SaleUnits } from "../../../common/sale/words/sale-units.ts";
import { textField } from "../../web/pages/fields.ts";
import type { Html } from "../../web/pages/layout.ts";
import { tickField } from "../base/choice-fields.ts";
import { errorOf, type FormErrors } from "../base/form-errors.ts";
import { isCalendarEntry } from "../base/utc-entry.ts";
import { type GroupEntry, groupFields } from "./rules-form-values.ts";
import { groupFieldLabel, groupTitle } from "./rules-labels.ts";

export interface GroupView {
  readonly group: GroupEntry;
  readonly index: number;
  readonly errors: FormErrors;
  readonly units: SaleUnits;
  /** ID of the element to go on at. */
  readonly focus?: string | undefined;
  /** Whether the sale has no other group, so that its priority doesn't matter. */
  readonly isOnly: boolean;
}

type Field = Exclude<keyof GroupEntry, "uuid" | "lockup">;

/** Returns the fields of a group. */
export function groupFieldset(view: GroupView): Html {
  const { group, index, units, isOnly } = view;
  const names = groupFields(index);
  const money = html`inputmode="decimal"`;
  const title = groupTitle(group.name, index);
  const hidesPriority = isOnly && errorOf(view.errors, names.priority) === undefined;
  return html`<fieldset class="group"><legend>${group.name.trim() === "" ? `Group ${index + 1}` : `Group ${title}`}</legend><div>
<input type="hidden" name="${names.uuid}" value="${group.uuid}">
${entryField(view, "name", html`maxlength="100"`, "Only you see it.")}
<div class="field-row halves">${timeField(view, "opens", "In UTC. Empty: it is open from the start.")}${timeField(view, "closes", "In UTC. Empty: it doesn’t close.")}</div>
<div class="field-row halves">${entryField(view, "minAmount", money, `What one entity commits in all, in ${units.money}. Empty: no bound.`)}${entryField(view, "maxAmount", money, `In ${units.money}. Empty: no bound.`)}</div>
${
  units.isAuction
    ? html`<div class="field-row halves">${entryField(view, "minPrice", money, `In ${units.money} ${units.per}. Empty: no bound.`)}${entryField(view, "maxPrice", money, `In ${units.money} ${units.per}. Empty: no bound.`)}</div>`
    : html`<input type="hidden" name="${names.minPrice}" value="${group.minPrice}"><input type="hidden" name="${names.maxPrice}" value="${group.maxPrice}">`
}
${
  hidesPriority
    ? html`<input type="hidden" name="${names.priority}" value="${group.priority}">`
    : entryField(
        view,
        "priority",
        html`inputmode="numeric" maxlength="4"`,
        "From 0 to 1000. Who is in several groups counts in the one with the greatest.",
      )
}
${tickField({ id: names.lockup, label: "Bids must be locked up" }, group.lockup)}
<p><button class="danger small" name="do" value="remove-${index}"><span>Remove <bdi>${title}</bdi></span></button></p></div></fieldset>`;
}

function timeField(view: GroupView, field: "opens" | "closes", hint: string): Html {
  const isCalendar = isCalendarEntry(view.group[field]);
  return entryField(
    view,
    field,
    isCalendar ? html`type="datetime-local" step="1" min="1970-01-01T00:00:01"` : html``,
    hint,
  );
}

function entryField({ group, index, errors, focus }: GroupView, field: Field, attributes: Html, hint: string): Html {
  const id = groupFields(index)[field];
  return textField({
    id,
    name: id,
    label: groupFieldLabel(field),
    hint: html`${hint}`,
    value: group[field],
    error: errorOf(errors, id),
    isOptional: field !== "name",
    attributes: html`autocomplete="off" spellcheck="false"${focus === id && html` autofocus`} ${attributes}`,
  });
}
