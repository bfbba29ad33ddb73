import { html } from "hono/html";
import { fill, fillCounted } from "../../../common/platform/language/message.ts";
import type { SaleUnits } from "../../../common/sale/words/sale-units.ts";
import { hiddenFields, textField } from "../../web/pages/fields.ts";
import type { Html } from "../../web/pages/layout.ts";
import { pageLanguage } from "../../web/texts/page-language.ts";
import { areaField } from "../base/area-field.ts";
import { choiceField, tickField } from "../base/choice-fields.ts";
import { errorOf, type FormErrors } from "../base/form-errors.ts";
import { pageChoice, pageField, pageText } from "../base/form-table.ts";
import { texts } from "../base/texts.ts";
import { groupFieldset } from "./group-fieldset.ts";
import { ASKS_ON_SALE_PAGE, GROUP_COUNT, MAX_GROUPS, type RulesFormValues } from "./rules-form-values.ts";
import { groupTitle, RULES_TABLE } from "./rules-table.ts";

export interface RulesFormView {
  readonly formValues: RulesFormValues;
  readonly units: SaleUnits;
  /** Whether the hook of a Continuous Clearing Auction checks permits: it takes neither lockups nor prices by rule. */
  readonly isHooked: boolean;
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
  const words = texts().rules;
  const fields = {
    version: version.toString(),
    [GROUP_COUNT]: String(view.formValues.groups.length),
    [ASKS_ON_SALE_PAGE]: "yes",
  };
  return html`<form method="post" action="${action}" class="column" novalidate>
<button class="default-submit" name="do" value="save" tabindex="-1" aria-hidden="true">${words.save}</button>
${hiddenFields(purpose, secret, fields)}
${peoplePanel(view)}${groupsPanel(view)}${walletsPanel(view)}${permitsPanel(view)}
<section class="panel" aria-labelledby="save"><h2 id="save">${words.saveTitle}</h2>
${tickField(pageField(RULES_TABLE.enabled), view.formValues.enabled)}
${tickField(pageField(RULES_TABLE.onSalePage), view.formValues.onSalePage)}
<p>${unexpiredText(unexpiredPermits)}</p>
<div class="panel-foot"><button class="primary fit" name="do" value="save">${words.save}</button>
<a class="button secondary" href="${cancel}">${words.cancel}</a></div></section></form>`;
}

/** Says what a change does to permits that were issued before it. */
export function unexpiredText(permits: bigint): string {
  const { noneValid, unexpired } = texts().takingPart;
  return permits === 0n ? noneValid : fillCounted(unexpired, permits, pageLanguage(), {});
}

function peoplePanel({ formValues, errors }: RulesFormView): Html {
  const types = errorOf(errors, "persons");
  const { kinds, people, organizations } = texts().rules;
  return html`<section class="panel" aria-labelledby="people"><h2 id="people">${RULES_TABLE.persons.label}</h2>
<fieldset><legend>${kinds}</legend>${types && html`<p class="field-error" id="persons-error">${types}</p>`}
${tickField({ id: "persons", label: people }, formValues.persons)}
${tickField({ id: "organizations", label: organizations }, formValues.organizations)}</fieldset>
${chosenField(RULES_TABLE.countryRule, formValues.countryRule, errors)}
${areaField({ ...pageField(RULES_TABLE.countries), error: errorOf(errors, "countries") }, formValues.countries, html`rows="3" spellcheck="false" autocomplete="off"`)}
${tickField(pageField(RULES_TABLE.liveness), formValues.liveness)}</section>`;
}

function groupsPanel({ formValues, errors, units, isHooked, focus }: RulesFormView): Html {
  const { groups, defaultGroup } = formValues;
  const words = texts().rules;
  const choices = [
    { id: "default-none", value: "", label: words.defaultNone, hint: words.defaultNoneHint },
    ...groups.map(({ uuid, name }, index) => ({
      id: `default-${index}`,
      value: uuid,
      label: fill(words.defaultTo, { group: groupTitle(name, index) }),
    })),
  ];
  const field = pageChoice({ ...RULES_TABLE.defaultGroup, choices });
  const error = errorOf(errors, "add-group");
  return html`<section class="panel" aria-labelledby="groups"><h2 id="groups">${words.groups}</h2>
<p>${words.groupsText}</p>
${error && html`<p class="field-error">${error}</p>`}
${groups.map((group, index) => groupFieldset({ group, index, errors, units, isHooked, focus, isOnly: groups.length === 1 }))}
<div class="panel-foot">${
    groups.length < MAX_GROUPS
      ? html`<button class="secondary small" id="add-group" name="do" value="add-group"${focus === "add-group" && html` autofocus`}>${words.addGroup}</button>`
      : html`<p class="quiet">${fill(words.mostGroups, { count: String(MAX_GROUPS) })}</p>`
  }</div>
${choiceField({ ...field, error: errorOf(errors, "default-none") }, defaultGroup)}</section>`;
}

function walletsPanel({ formValues, errors }: RulesFormView): Html {
  return html`<section class="panel" aria-labelledby="wallets"><h2 id="wallets">${texts().rules.wallets}</h2>
${textField({ ...pageText(RULES_TABLE.maxWallets, formValues.maxWallets, errors), attributes: html`inputmode="numeric" maxlength="3" autocomplete="off"` })}
${tickField(pageField(RULES_TABLE.linking), formValues.linking)}
${tickField(pageField(RULES_TABLE.denyList), formValues.denyList)}
${textField({ ...pageText(RULES_TABLE.screenerUrl, formValues.screenerUrl, errors), isOptional: true, attributes: html`type="url" maxlength="500" autocomplete="off" spellcheck="false"` })}
${chosenField(RULES_TABLE.onScreeningFailure, formValues.onScreeningFailure, errors)}</section>`;
}

function permitsPanel({ formValues, errors, units, isHooked }: RulesFormView): Html {
  if (isHooked) return html`<input type="hidden" name="${RULES_TABLE.payload.field}" value="none">`;
  return html`<section class="panel" aria-labelledby="permit"><h2 id="permit">${texts().rules.contract}</h2>
${chosenField(RULES_TABLE.payload, formValues.payload, errors)}
${!units.isAuction && tickField(pageField(RULES_TABLE.bidsWithoutPrice), formValues.bidsWithoutPrice)}</section>`;
}

type ChosenRow = Parameters<typeof pageChoice>[0];

function chosenField(row: ChosenRow, value: string, errors: FormErrors): Html {
  return choiceField({ ...pageChoice(row), error: errorOf(errors, row.id ?? row.field) }, value);
}
