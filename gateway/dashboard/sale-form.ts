import { html } from "hono/html";
import { hiddenFields, textField } from "../pages/fields.ts";
import type { Html } from "../pages/layout.ts";
import { choiceField, selectField, tickField } from "./choice-fields.ts";
import { CHECK_PATH } from "./dashboard-paths.ts";
import type { DefinitionLine } from "./definition-words.ts";
import { errorOf, type FormErrors } from "./form-errors.ts";
import { MAX_TOKENS, type SaleEntries, TOKEN_FIELDS, type TokenEntry } from "./sale-entries.ts";
import type { KnownChains, SourceCheck } from "./sources.ts";

export const SALE_FORM = "sale settings";

export interface SaleFormView {
  readonly sessionToken: string;
  readonly entries: SaleEntries;
  readonly errors: FormErrors;
  readonly known: KnownChains;
  /** What the entries come to, as far as they can be read. */
  readonly lines: readonly DefinitionLine[];
  readonly check?: SourceCheck | undefined;
  /** Where it is sent, with what it holds besides the entries. */
  readonly action: string;
  readonly hidden?: Readonly<Record<string, string>>;
  /** A sale that is no draft any more. */
  readonly isFrozen?: boolean;
  /** The tenancy is to be chosen: of a new sale that is no copy. */
  readonly choosesTenancy?: boolean;
  readonly submit: string;
}

/** The settings of a sale, to be entered. The first button is the one that the Enter key means in a field. */
export function saleForm(view: SaleFormView): Html {
  const { sessionToken, action, hidden = {}, entries, errors, submit, choosesTenancy = false } = view;
  const fields = { ...hidden, ...(choosesTenancy ? {} : { tenancy: entries.tenancy }) };
  return html`<form method="post" action="${action}" data-check="${CHECK_PATH}" class="panels two" novalidate>
<button class="default-submit" name="do" value="review" tabindex="-1" aria-hidden="true">${submit}</button>
<div class="column"><div class="panel">
${hiddenFields(SALE_FORM, sessionToken, fields)}
${textField({ id: "name", name: "name", label: "Name of the sale", hint: html`Everybody sees it.`, value: entries.name, error: errorOf(errors, "name"), attributes: html`maxlength="200" autocomplete="off"` })}
${choosesTenancy && tenancyField(entries)}
${pricingGroup(view)}${paymentGroup(view)}${sourceGroup(view)}${moreGroup(view)}
<div class="panel-foot"><button class="primary fit" name="do" value="review">${submit}</button></div>
</div></div>
<aside class="panel" aria-labelledby="exact-title"><h2 id="exact-title">What this comes to</h2>
<div id="exact" aria-live="polite">${view.lines.length === 0 ? html`<p class="quiet">Exact figures show here, and before anything is saved.</p>` : factList(view.lines)}</div></aside>
</form>`;
}

/** Settings with the exact figures that they mean. */
export function factList(lines: readonly DefinitionLine[]): Html {
  return html`<dl class="facts">${lines.map(
    ({ label, words, exact }) =>
      html`<dt>${label}</dt><dd>${words}${exact && html`<small class="exact">${exact}</small>`}</dd>`,
  )}</dl>`;
}

function tenancyField({ tenancy }: SaleEntries): Html {
  const choices = [
    {
      id: "tenancy-test",
      value: "test",
      label: "Test",
      hint: "To try things out. Applications may be on your own computer (localhost).",
    },
    { id: "tenancy-live", value: "live", label: "Live", hint: "Moves real money. This can’t be changed later." },
  ];
  return choiceField({ name: "tenancy", legend: "Kind of sale", choices }, tenancy);
}

interface EntryField {
  readonly id: string;
  readonly label: string;
  readonly hint?: string;
  readonly value: string;
  readonly isOptional?: boolean;
}

function entryField(
  { id, label, hint, value, isOptional = false }: EntryField,
  errors: FormErrors,
  attributes = html``,
): Html {
  return textField({
    id,
    name: id,
    label,
    ...(hint !== undefined && { hint: html`${hint}` }),
    value,
    error: errorOf(errors, id),
    isOptional,
    attributes: html`autocomplete="off" spellcheck="false" ${attributes}`,
  });
}

function pricingGroup({ entries, errors, isFrozen = false }: SaleFormView): Html {
  const choices = [
    { id: "kind-fixed", value: "fixed", label: "Fixed price", hint: "Everybody pays the same." },
    {
      id: "kind-auction",
      value: "auction",
      label: "Auction",
      hint: "Bids name their price; the clearing price follows from them.",
    },
  ];
  const kind = { name: "kind", legend: "How the price is found", choices, error: errorOf(errors, "kind-fixed") };
  const decimal = html`inputmode="decimal"`;
  return html`<fieldset class="group"><legend>Price</legend><div>
${choiceField(kind, entries.kind, isFrozen)}
<p class="hint">Write amounts as you say them: 0.25, 1,000,000 or 1/3.</p>
<div class="of-fixed">
${entryField({ id: "price", label: "Price of one token", hint: "Such as 0.25 USDC per token.", value: entries.price, isOptional: true }, errors, decimal)}
</div><div class="of-auction"><div class="field-row halves">
${entryField({ id: "floor", label: "Lowest price", value: entries.floor, isOptional: true }, errors, decimal)}
${entryField({ id: "increment", label: "Price step", value: entries.increment, isOptional: true }, errors, decimal)}
</div>
${entryField({ id: "amount", label: "Tokens for sale", hint: "Such as 1,000,000.", value: entries.amount, isOptional: true }, errors, decimal)}
</div><div class="field-row halves">
${entryField({ id: "offered_decimals", label: "Decimals of the token", hint: "Most have 18. Left empty, prices are per smallest unit.", value: entries.offeredDecimals, isOptional: true }, errors, html`inputmode="numeric" maxlength="2"`)}
${entryField({ id: "tick", label: "Price tick", hint: "The unit in which your contract counts prices. Left empty: the price, or the step.", value: entries.tick, isOptional: true }, errors, decimal)}
</div></div></fieldset>`;
}

function paymentGroup({ entries, errors, isFrozen = false }: SaleFormView): Html {
  return html`<fieldset class="group"><legend>Payment tokens</legend><div>
${isFrozen && html`<p class="hint">The sale is open: tokens can join, those that are there stay.</p>`}
${entries.tokens.map((token, index) => tokenEntry(token, index, errors))}
${entries.tokens.length < MAX_TOKENS && html`<p><button class="secondary small" name="do" value="add-token" formnovalidate>Add another token</button></p>`}
${
  entries.tokens.length > 1 || entries.paymentDecimals !== ""
    ? entryField(
        {
          id: "payment_decimals",
          label: "Common decimals",
          hint: "Needed where the tokens have different decimals: amounts are added up in these.",
          value: entries.paymentDecimals,
          isOptional: true,
        },
        errors,
        html`inputmode="numeric" maxlength="2"`,
      )
    : ""
}</div></fieldset>`;
}

function tokenEntry({ address, decimals, usdStablecoin }: TokenEntry, index: number, errors: FormErrors): Html {
  const number = index === 0 ? "" : ` ${index + 1}`;
  return html`<div class="token-entry"><input type="hidden" name="token" value="${index}">
<div class="field-row token">
${entryField({ id: TOKEN_FIELDS.address(index), label: `Address of the token${number}`, value: address, isOptional: index > 0 }, errors, html`maxlength="64"`)}
${entryField({ id: TOKEN_FIELDS.decimals(index), label: `Decimals${number}`, value: decimals }, errors, html`inputmode="numeric" maxlength="2"`)}
</div>
${tickField({ id: TOKEN_FIELDS.usdStablecoin(index), label: `One token${number} is one US dollar` }, usdStablecoin)}</div>`;
}

function sourceGroup({ entries, errors, known, check, isFrozen = false }: SaleFormView): Html {
  const choices = [
    { id: "source-chain", value: "chain", label: "A contract on a chain" },
    { id: "source-none", value: "none", label: "A service of yours feeds them", hint: "By the RPC ApplyCommitments." },
  ];
  const source = {
    name: "source",
    legend: "Where commitments are read from",
    choices,
    error: errorOf(errors, "source-none"),
  };
  const chains = [["", "Choose…"], ...known.chains.map(({ name }) => [name, name])] as [string, string][];
  const chainField = { id: "chain", label: "Chain", error: errorOf(errors, "chain") };
  const isListed = known.chains.some(({ name }) => name === entries.chain) || entries.chain === "";
  return html`<fieldset class="group"><legend>Commitments</legend><div>
${choiceField(source, entries.source, isFrozen)}
<div class="of-chain">
${
  known.absence === undefined && isListed
    ? selectField(chainField, chains, entries.chain)
    : entryField(
        {
          id: "chain",
          label: "Chain",
          hint: known.absence ?? "As the operator calls it.",
          value: entries.chain,
          isOptional: true,
        },
        errors,
      )
}
${entryField({ id: "address", label: "Contract", hint: "Its address; on Solana that of the sale account.", value: entries.address, isOptional: true }, errors, html`maxlength="64"`)}
<p class="source-check" id="source-check" role="status" data-state="${check?.state ?? "unknown"}">${check?.words.join(" ") ?? ""}</p>
</div></div></fieldset>`;
}

function moreGroup({ entries, errors }: SaleFormView): Html {
  const isOpen = entries.extraData !== "" || entries.keepsAmounts || errorOf(errors, "extra_data") !== undefined;
  return html`<fieldset class="group"><legend>Rarely needed</legend><div><details${isOpen ? " open" : ""}><summary>Extra data and older contracts</summary>
${entryField({ id: "extra_data", label: "Extra data", hint: "How the extra data of a commitment is read, such as: uint64 tier, address referrer", value: entries.extraData, isOptional: true }, errors, html`maxlength="2000"`)}
${tickField({ id: "keeps_amounts", label: "Cancelled commitments keep their amounts", hint: "For contracts of the older kind." }, entries.keepsAmounts)}
</details></div></fieldset>`;
}
