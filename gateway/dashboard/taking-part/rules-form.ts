import { html } from "hono/html";
import type { SaleUnits } from "../../../common/sale/words/sale-units.ts";
import { hiddenFields, textField } from "../../web/pages/fields.ts";
import type { Html } from "../../web/pages/layout.ts";
import { areaField } from "../base/area-field.ts";
import { choiceField, tickField } from "../base/choice-fields.ts";
import { errorOf, type FormErrors } from "../base/form-errors.ts";
import { groupFieldset } from "./group-fieldset.ts";
import { GROUP_COUNT, MAX_GROUPS, type RulesFormValues } from "./rules-form-values.ts";
import { groupTitle, rulesLabel } from "./rules-labels.ts";

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
${tickField({ id: "enabled", label: rulesLabel("enabled"), hint: "Permits are issued while the sale is open. An open sale needs a signer for this." }, view.formValues.enabled)}
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
  const choices = [
    { id: "country-all-but", value: "all_but_listed", label: "All countries but these" },
    { id: "country-only", value: "only_listed", label: "Only these countries" },
  ];
  const rule = { name: "country_rule", legend: rulesLabel("country-all-but"), choices };
  const types = errorOf(errors, "persons");
  return html`<section class="panel" aria-labelledby="people"><h2 id="people">${rulesLabel("persons")}</h2>
<fieldset><legend>Kinds</legend>${types && html`<p class="field-error" id="persons-error">${types}</p>`}
${tickField({ id: "persons", label: "People" }, formValues.persons)}
${tickField({ id: "organizations", label: "Organizations" }, formValues.organizations)}</fieldset>
${choiceField({ ...rule, error: errorOf(errors, "country-all-but") }, formValues.countryRule)}
${areaField({ id: "countries", label: "These countries", hint: "Names or two-letter codes, with commas between them: Germany, FR, US.", error: errorOf(errors, "countries") }, formValues.countries, html`rows="3" spellcheck="false" autocomplete="off"`)}
${tickField({ id: "liveness", label: "A person proves to be present before the first permit", hint: "By a page of whoever checks identities here." }, formValues.liveness)}</section>`;
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
  const field = { name: "default_group", legend: rulesLabel("default-none"), choices };
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
  const choices = [
    { id: "screening-closed", value: "closed", label: "No wallet gets a permit" },
    { id: "screening-open", value: "open", label: "Wallets count as clean" },
  ];
  const failing = { name: "on_screening_failure", legend: rulesLabel("screening-closed"), choices };
  return html`<section class="panel" aria-labelledby="wallets"><h2 id="wallets">Wallets</h2>
${textField({ id: "max_wallets", name: "max_wallets", label: rulesLabel("max_wallets"), hint: html`From 1 to 255. Your contract has a bound of its own.`, value: formValues.maxWallets, error: errorOf(errors, "max_wallets"), attributes: html`inputmode="numeric" maxlength="3" autocomplete="off"` })}
${tickField({ id: "linking", label: rulesLabel("linking"), hint: "A signature proves that the wallet belongs to the user, before it gets a permit." }, formValues.linking)}
${tickField({ id: "deny_list", label: "Wallets on the deny list get no permit" }, formValues.denyList)}
${textField({ id: "screener_url", name: "screener_url", label: rulesLabel("screener_url"), hint: html`It is asked about each wallet. Leave it empty if you have none.`, value: formValues.screenerUrl, error: errorOf(errors, "screener_url"), isOptional: true, attributes: html`type="url" maxlength="500" autocomplete="off" spellcheck="false"` })}
${choiceField({ ...failing, error: errorOf(errors, "screening-closed") }, formValues.onScreeningFailure)}</section>`;
}

function permitsPanel({ formValues, errors, units }: RulesFormView): Html {
  const choices = [
    {
      id: "payload-settlement",
      value: "settlement",
      label: "Whether a bid must be locked up",
      hint: "For the reference contract’s settlement sale.",
    },
    { id: "payload-none", value: "none", label: "None", hint: "For a contract that reads no settings." },
  ];
  const payload = { name: "payload", legend: rulesLabel("payload-none"), choices };
  return html`<section class="panel" aria-labelledby="permit"><h2 id="permit">Your contract</h2>
${choiceField({ ...payload, error: errorOf(errors, "payload-none") }, formValues.payload)}
${!units.isAuction && tickField({ id: "bids_without_price", label: "It takes bids without a price", hint: "Permits then bound the price by 0, and not by the sale’s price." }, formValues.bidsWithoutPrice)}</section>`;
}
