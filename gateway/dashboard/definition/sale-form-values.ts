import type { Language } from "../../../common/platform/language/language.ts";
import { fill } from "../../../common/platform/language/message.ts";
import { SaleDefinitionSchema } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { PageForm } from "../../web/pages/page-form.ts";
import {
  type FormRow,
  type FormTable,
  type FormValues,
  fieldAt,
  firstValues,
  formAt,
  formValues,
  heldFields,
  rowOfContract,
} from "../base/form-table.ts";
import { entryFrom } from "../base/page-number.ts";
import { texts } from "../base/texts.ts";

/** The fields of a payment token, each of which the form has once a token, with its index behind its name. */
const TOKEN_FIELDS_TABLE = {
  address: {
    field: "token_address",
    kind: "trimmed",
    get label() {
      return texts().definition.tokenAddress;
    },
    contract: ["address", "symbol"],
  },
  decimals: {
    field: "token_decimals",
    kind: "trimmed",
    first: "6",
    get label() {
      return texts().definition.tokenDecimals;
    },
    contract: ["decimals"],
  },
  usdStablecoin: {
    field: "token_usd",
    kind: "ticked",
    get label() {
      return texts().definition.usdStablecoin;
    },
    contract: ["usd_stablecoin"],
  },
} as const satisfies FormTable;

/**
 * The fields of the form of a sale's settings. `contract` has names of fields of `SaleDefinition`, of its alternatives (`pricing`), and
 * of the fields inside those. First, a new sale is a test at a fixed price.
 */
const SALE_FORM_TABLE = {
  name: {
    field: "name",
    kind: "exact",
    get label() {
      return texts().definition.name;
    },
    contract: ["name"],
  },
  tenancy: { field: "tenancy", kind: "exact", first: "test" },
  kind: {
    field: "kind",
    id: "kind-fixed",
    kind: "exact",
    first: "fixed",
    get label() {
      return texts().definition.kind;
    },
    contract: ["pricing", "clearing_rule"],
  },
  // The form holds the next two as they are and doesn't ask for them: contracts of one kind need them.
  widePrices: { field: "wide_prices", kind: "ticked" },
  outbids: { field: "outbids", kind: "ticked" },
  paymentDecimals: {
    field: "payment_decimals",
    kind: "trimmed",
    get label() {
      return texts().definition.paymentDecimals;
    },
    contract: ["payment_token_decimals"],
  },
  offeredDecimals: {
    field: "offered_decimals",
    kind: "trimmed",
    first: "18",
    get label() {
      return texts().definition.offeredDecimals;
    },
    contract: ["offered_token_decimals"],
  },
  tick: {
    field: "tick",
    kind: "trimmed",
    get label() {
      return texts().definition.tick;
    },
    contract: ["price_tick"],
  },
  price: {
    field: "price",
    kind: "trimmed",
    get label() {
      return texts().definition.price;
    },
    contract: ["price_ticks"],
  },
  amount: {
    field: "amount",
    kind: "trimmed",
    get label() {
      return texts().definition.amount;
    },
    contract: ["offered_amount"],
  },
  floor: {
    field: "floor",
    kind: "trimmed",
    get label() {
      return texts().definition.floor;
    },
    contract: ["floor_ticks"],
  },
  increment: {
    field: "increment",
    kind: "trimmed",
    get label() {
      return texts().definition.increment;
    },
    contract: ["increment_ticks"],
  },
  source: {
    field: "source",
    id: "source-none",
    kind: "exact",
    first: "none",
    get label() {
      return texts().definition.source;
    },
  },
  chain: {
    field: "chain",
    kind: "trimmed",
    get label() {
      return texts().definition.chain;
    },
    contract: ["chain"],
  },
  address: {
    field: "address",
    kind: "trimmed",
    get label() {
      return texts().definition.address;
    },
    contract: ["source", "contract", "sale_account"],
  },
  /** The family of the contract, which it says itself; empty for the reference contract's. */
  contractFamily: { field: "contract_family", kind: "exact", contract: ["family"] },
  /** Empty: as the contract says. */
  contractVersion: {
    field: "contract_version",
    kind: "exact",
    get label() {
      return texts().definition.contractVersion;
    },
    contract: ["contract_version"],
  },
  extraData: {
    field: "extra_data",
    kind: "trimmed",
    get label() {
      return texts().definition.extraData;
    },
    contract: ["extra_data_parameters"],
  },
  keepsAmounts: {
    field: "keeps_amounts",
    kind: "ticked",
    get label() {
      return texts().definition.keepsAmounts;
    },
    contract: ["cancelled_keeps_amounts"],
  },
} as const satisfies FormTable;

/** The values of a payment token's fields. */
export type TokenFormValues = FormValues<typeof TOKEN_FIELDS_TABLE>;

/** The values of the form of a sale's settings. */
export interface SaleFormValues extends FormValues<typeof SALE_FORM_TABLE> {
  readonly tokens: readonly TokenFormValues[];
}

/** First values of a new sale: a test sale at a fixed price, paid in a dollar stablecoin. */
export const NEW_SALE_VALUES: SaleFormValues = {
  ...firstValues(SALE_FORM_TABLE),
  tokens: [{ ...firstValues(TOKEN_FIELDS_TABLE), usdStablecoin: true }],
};

/** Bound of the contract. */
export const MAX_TOKENS = 32;

/** Names of a payment token's fields, by the token's index. */
export const TOKEN_FIELDS = {
  address: (index: number) => fieldAt(TOKEN_FIELDS_TABLE.address, index),
  decimals: (index: number) => fieldAt(TOKEN_FIELDS_TABLE.decimals, index),
  usdStablecoin: (index: number) => fieldAt(TOKEN_FIELDS_TABLE.usdStablecoin, index),
};

export function saleFormValues(form: PageForm): SaleFormValues {
  const count = Math.min(form.all("token").length, MAX_TOKENS);
  const tokens = Array.from({ length: count }, (_, index) => formValues(TOKEN_FIELDS_TABLE, formAt(form, index)));
  return { ...formValues(SALE_FORM_TABLE, form), tokens };
}

/** Returns the values as fields that a page can hold; `saleFormValues` reads them back. */
export function heldSaleFields({ tokens, ...values }: SaleFormValues): readonly (readonly [string, string])[] {
  const tokenFields = tokens.flatMap((token, index) => [
    ["token", String(index)] as const,
    ...heldFields(TOKEN_FIELDS_TABLE, token).map(([name, value]) => [fieldAt({ field: name }, index), value] as const),
  ]);
  return [...heldFields(SALE_FORM_TABLE, values), ...tokenFields];
}

/** Returns the values with the numbers as they are entered on the page that is being answered. @param language that of the page where they were */
export function inPageLanguage(values: SaleFormValues, language: Language): SaleFormValues {
  const { price, floor, increment, tick, amount } = values;
  const numbers = Object.entries({ price, floor, increment, tick, amount });
  const entries = Object.fromEntries(numbers.map(([name, text]) => [name, entryFrom(language, text)]));
  return { ...values, ...entries };
}

/** Adds an empty row for another token. @returns also the field to fill next */
export function withAnotherToken(values: SaleFormValues): {
  readonly formValues: SaleFormValues;
  readonly focus?: string;
} {
  const { tokens } = values;
  if (tokens.length >= MAX_TOKENS) return { formValues: values };
  const another = { ...firstValues(TOKEN_FIELDS_TABLE), usdStablecoin: true };
  return { formValues: { ...values, tokens: [...tokens, another] }, focus: TOKEN_FIELDS.address(tokens.length) };
}

/**
 * Returns the label of a field, by its ID, for the form and its list of errors. Payment tokens are numbered from the second on.
 */
export function labelOf(field: string): string {
  const [, name = field, index = "0"] = /^(token_[a-z]+)_(\d+)$/.exec(field) ?? [];
  const rows: FormRow[] = [...Object.values(SALE_FORM_TABLE), ...Object.values(TOKEN_FIELDS_TABLE)];
  const label = rows.find((row) => (row.id ?? row.field) === name)?.label ?? name;
  return index === "0" ? label : fill(texts().definition.numbered, { label, number: String(Number(index) + 1) });
}

/** Returns the form's field for a field of `SaleDefinition`, such as `definition.payment_tokens[0].address`. */
export function fieldOfDefinition(
  contractField: string,
): { readonly field: string; readonly label: string } | undefined {
  const field = fieldIdOf(contractField.replace(/^definition\./, ""));
  return field === undefined ? undefined : { field, label: labelOf(field) };
}

function fieldIdOf(path: string): string | undefined {
  const [, index = "0", part = "address"] = /^payment_tokens(?:\[(\d+)\])?(?:\.(\w+))?/.exec(path) ?? [];
  if (path.startsWith("payment_tokens")) {
    const row = rowOfContract(TOKEN_FIELDS_TABLE, part) ?? TOKEN_FIELDS_TABLE.address;
    return fieldAt(row, Number(index));
  }
  const [first = "", inner] = path.split(".");
  const alternatives = SaleDefinitionSchema.fields.find(({ name }) => name === first)?.oneof?.name;
  const row = rowOfContract(SALE_FORM_TABLE, alternatives === undefined ? first : (inner ?? alternatives));
  return row && (row.id ?? row.field);
}

/** The names of the fields of `SaleDefinition` that the form shows, all alternatives included. */
export const SHOWN_FIELDS: readonly string[] = SaleDefinitionSchema.fields
  .map(({ name }) => name)
  .filter((name) => fieldIdOf(name) !== undefined);
