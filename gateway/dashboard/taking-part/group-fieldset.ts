import { html } from "hono/html";
import { fill } from "../../../common/platform/language/message.ts";
import type { SaleUnits } from "../../../common/sale/words/sale-units.ts";
import { textField } from "../../web/pages/fields.ts";
import { fillHtml } from "../../web/pages/fill-html.ts";
import type { Html } from "../../web/pages/layout.ts";
import { tickField } from "../base/choice-fields.ts";
import { errorOf, type FormErrors } from "../base/form-errors.ts";
import { type FormRow, fieldAt } from "../base/form-table.ts";
import { texts } from "../base/texts.ts";
import { isCalendarEntry } from "../base/utc-entry.ts";
import { GROUP_TABLE, type GroupEntry, type GroupField, groupTitle } from "./rules-table.ts";

export interface GroupView {
  readonly group: GroupEntry;
  readonly index: number;
  readonly errors: FormErrors;
  readonly units: SaleUnits;
  /** Value of the form's view. */
  readonly isHooked: boolean;
  /** ID of the element to go on at. */
  readonly focus?: string | undefined;
  /** Whether the sale has no other group, so that its priority doesn't matter. */
  readonly isOnly: boolean;
}

type Field = Exclude<GroupField, "lockup">;

/** Returns the fields of a group. */
export function groupFieldset(view: GroupView): Html {
  const { group, index, units, isHooked, isOnly } = view;
  const money = html`inputmode="decimal"`;
  const { legendNumbered, legendNamed, minAmountHint, maxAmountHint, priceHint, remove } = texts().groupForm;
  const name = group.name.trim();
  const legend = name === "" ? fill(legendNumbered, { number: String(index + 1) }) : fill(legendNamed, { name });
  const title = html`<bdi>${groupTitle(group.name, index)}</bdi>`;
  const price = fill(priceHint, units);
  const hidesPriority = isOnly && errorOf(view.errors, fieldAt(GROUP_TABLE.priority, index)) === undefined;
  return html`<fieldset class="group"><legend>${legend}</legend><div>
${hiddenField(view, "uuid")}
${entryField(view, "name", html`maxlength="100"`)}
<div class="field-row halves">${timeField(view, "opens")}${timeField(view, "closes")}</div>
<div class="field-row halves">${entryField(view, "minAmount", money, fill(minAmountHint, units))}${entryField(view, "maxAmount", money, fill(maxAmountHint, units))}</div>
${
  units.isAuction && !isHooked
    ? html`<div class="field-row halves">${entryField(view, "minPrice", money, price)}${entryField(view, "maxPrice", money, price)}</div>`
    : html`${hiddenField(view, "minPrice")}${hiddenField(view, "maxPrice")}`
}
${hidesPriority ? hiddenField(view, "priority") : entryField(view, "priority", html`inputmode="numeric" maxlength="4"`)}
${!isHooked && tickField({ id: fieldAt(GROUP_TABLE.lockup, index), label: GROUP_TABLE.lockup.label }, group.lockup)}
<p><button class="danger small" name="do" value="remove-${index}"><span>${fillHtml(remove, { group: title })}</span></button></p></div></fieldset>`;
}

function timeField(view: GroupView, field: "opens" | "closes"): Html {
  const isCalendar = isCalendarEntry(view.group[field]);
  return entryField(view, field, isCalendar ? html`type="datetime-local" step="1" min="1970-01-01T00:00:01"` : html``);
}

/** @param hint takes the place of the table's, for what depends on the sale */
function entryField({ group, index, errors, focus }: GroupView, field: Field, attributes: Html, hint?: string): Html {
  const row: FormRow = GROUP_TABLE[field];
  const id = fieldAt(row, index);
  return textField({
    id,
    name: id,
    label: GROUP_TABLE[field].label,
    hint: html`${hint ?? row.hint}`,
    value: group[field],
    error: errorOf(errors, id),
    isOptional: field !== "name",
    attributes: html`autocomplete="off" spellcheck="false"${focus === id && html` autofocus`} ${attributes}`,
  });
}

function hiddenField({ group, index }: GroupView, field: Field | "uuid"): Html {
  return html`<input type="hidden" name="${fieldAt(GROUP_TABLE[field], index)}" value="${group[field]}">`;
}
