import { html } from "hono/html";
import type { SaleUnits } from "../../../common/sale/words/sale-units.ts";
import { hiddenFields, textField } from "../../web/pages/fields.ts";
import type { Html } from "../../web/pages/layout.ts";
import { areaField } from "../base/area-field.ts";
import { choiceField, tickField } from "../base/choice-fields.ts";
import { errorOf, type FormErrors } from "../base/form-errors.ts";
import { pageChoice, pageField, pageText } from "../base/form-table.ts";
import { groupFieldset } from "./group-fieldset.ts";
import { GROUP_COUNT, MAX_GROUPS, type RulesFormValues } from "./rules-form-values.ts";
import { groupTitle, RULES_TABLE } from "./rules-table.ts";

export interface RulesFormView {
  readonly formValues: RulesFormValues;
  readonly units: SaleUnits;
  readonly errors: FormErrors;
  /** Purpose and secret of the form's token. */
  readonly purpose: string;
  readonly secret: string;
  readonly action: string;
  /** Version of the rules that the form's values are based on. */
  readonly version: bigint;
  /** Number of permits that haven't expired. */
  readonly unexpiredPermits: bigint;
  /** ID of the element to go on at. */
  readonly focus?: string | undefined;
  readonly cancel: string;
}

/** Returns the form of a sale's rules. The Enter key in a field presses the first button. */
export function rulesForm(view: RulesFormView): Html {
  const { purpose, secret, action, version, cancel, unexpiredPermits } = view;
  return html`<form method="post" action="${action}" class="column" novalidate>
<button class="default-submit" name="do" value="save" tabindex="-1" aria-hidden="true">Save the rules</button>
${hiddenFields(purpose, secret, { version: version.toString(), [GROUP_COUNT]: String(view.formValues.groups.length) })}
${peoplePanel(view)}${groupsPanel(view)}${walletsPanel(view)}${permitsPanel(view)}
<section class="panel" aria-labelledby="save"><h2 id="save">Save</h2>
${tickField(pageField(RULES_TABLE.enabled), view.formValues.enabled)}
<p>${unexpiredText(unexpiredPermits)}</p>
<div class="panel-foot"><button class="primary fit" name="do" value="save">Save the rules</button>
<a class="button secondary" href="${cancel}">Leave them as they are</a></div></section></form>`;
}

/** Says what a change does to permits that were issued before it. */
export function unexpiredText(permits: bigint): string {
  if (permits === 0n)
    return "No permit is valid now. One that is issued stays valid for ten minutes, whatever changes.";
  const stay = permits === 1n ? "One permit that was issued stays" : `${permits} permits that were issued stay`;
  return `${stay} valid for at most ten minutes: a change of the rules doesn’t withdraw them.`;
}

function peoplePanel({ formValues, errors }: RulesFormView): Html {
  const types = errorOf(errors, "persons");
  return html`<section class="panel" aria-labelledby="people"><h2 id="people">${RULES_TABLE.persons.label}</h2>
<fieldset><legend>Kinds</legend>${types && html`<p class="field-error" id="persons-error">${types}</p>`}
${tickField({ id: "persons", label: "People" }, formValues.persons)}
${tickField({ id: "organizations", label: "Organizations" }, formValues.organizations)}</fieldset>
${chosenField(RULES_TABLE.countryRule, formValues.countryRule, errors)}
${areaField({ ...pageField(RULES_TABLE.countries), error: errorOf(errors, "countries") }, formValues.countries, html`rows="3" spellcheck="false" autocomplete="off"`)}
${tickField(pageField(RULES_TABLE.liveness), formValues.liveness)}</section>`;
}

function groupsPanel({ formValues, errors, units, focus }: RulesFormView): Html {
  const { groups, defaultGroup } = formValues;
  const choices = [
    { id: "default-none", value: "", label: "May not take part", hint: "Only members of groups may." },
    ...groups.map(({ uuid, name }, index) => ({
      id: `default-${index}`,
      value: uuid,
      label: `Takes part as a member of ${groupTitle(name, index)}`,
    })),
  ];
  const field = pageChoice({ ...RULES_TABLE.defaultGroup, choices });
  const error = errorOf(errors, "add-group");
  return html`<section class="panel" aria-labelledby="groups"><h2 id="groups">Groups</h2>
<p>A group has a time window and bounds of its own. Its members are on a list of e-mail addresses, wallets or entities, which you
import after you have saved the rules. All times are in UTC.</p>
${error && html`<p class="field-error">${error}</p>`}
${groups.map((group, index) => groupFieldset({ group, index, errors, units, focus, isOnly: groups.length === 1 }))}
<div class="panel-foot">${
    groups.length < MAX_GROUPS
      ? html`<button class="secondary small" id="add-group" name="do" value="add-group"${focus === "add-group" && html` autofocus`}>Add a group</button>`
      : html`<p class="quiet">A sale has at most ${MAX_GROUPS} groups.</p>`
  }</div>
${choiceField({ ...field, error: errorOf(errors, "default-none") }, defaultGroup)}</section>`;
}

function walletsPanel({ formValues, errors }: RulesFormView): Html {
  return html`<section class="panel" aria-labelledby="wallets"><h2 id="wallets">Wallets</h2>
${textField({ ...pageText(RULES_TABLE.maxWallets, formValues.maxWallets, errors), attributes: html`inputmode="numeric" maxlength="3" autocomplete="off"` })}
${tickField(pageField(RULES_TABLE.linking), formValues.linking)}
${tickField(pageField(RULES_TABLE.denyList), formValues.denyList)}
${textField({ ...pageText(RULES_TABLE.screenerUrl, formValues.screenerUrl, errors), isOptional: true, attributes: html`type="url" maxlength="500" autocomplete="off" spellcheck="false"` })}
${chosenField(RULES_TABLE.onScreeningFailure, formValues.onScreeningFailure, errors)}</section>`;
}

function permitsPanel({ formValues, errors, units }: RulesFormView): Html {
  return html`<section class="panel" aria-labelledby="permit"><h2 id="permit">Your contract</h2>
${chosenField(RULES_TABLE.payload, formValues.payload, errors)}
${!units.isAuction && tickField(pageField(RULES_TABLE.bidsWithoutPrice), formValues.bidsWithoutPrice)}</section>`;
}

type ChosenRow = Parameters<typeof pageChoice>[0];

function chosenField(row: ChosenRow, value: string, errors: FormErrors): Html {
  return choiceField({ ...pageChoice(row), error: errorOf(errors, row.id ?? row.field) }, value);
}
