import type { PageForm } from "../../web/pages/page-form.ts";
import type { FormErrors } from "../base/form-errors.ts";

/** A payment token as entered. */
export interface TokenEntry {
  readonly address: string;
  readonly decimals: string;
  readonly usdStablecoin: boolean;
}

/** The form of a sale's settings as entered. */
export interface SaleEntries {
  readonly name: string;
  readonly tenancy: string;
  readonly kind: string;
  readonly tokens: readonly TokenEntry[];
  readonly paymentDecimals: string;
  readonly offeredDecimals: string;
  readonly tick: string;
  readonly price: string;
  readonly amount: string;
  readonly floor: string;
  readonly increment: string;
  readonly source: string;
  readonly chain: string;
  readonly address: string;
  /** Empty: as the contract says. */
  readonly contractVersion: string;
  readonly extraData: string;
  readonly keepsAmounts: boolean;
}

/** First entries of a new sale: a test sale at a fixed price, paid in a dollar stablecoin. */
export const NEW_ENTRIES: SaleEntries = {
  name: "",
  tenancy: "test",
  kind: "fixed",
  tokens: [{ address: "", decimals: "6", usdStablecoin: true }],
  paymentDecimals: "",
  offeredDecimals: "18",
  tick: "",
  price: "",
  amount: "",
  floor: "",
  increment: "",
  source: "none",
  chain: "",
  address: "",
  contractVersion: "",
  extraData: "",
  keepsAmounts: false,
};

/** Bound of the contract. */
export const MAX_TOKENS = 32;

/** Entries and their errors. */
export interface CheckedEntries {
  readonly entries: SaleEntries;
  readonly errors: FormErrors;
}

/** Names of a payment token's fields, by the token's index. */
export const TOKEN_FIELDS = {
  address: (index: number) => `token_address_${index}`,
  decimals: (index: number) => `token_decimals_${index}`,
  usdStablecoin: (index: number) => `token_usd_${index}`,
};

export function saleEntriesOf(form: PageForm): SaleEntries {
  const count = Math.min(form.all("token").length, MAX_TOKENS);
  const tokens = Array.from({ length: count }, (_, index) => ({
    address: form.text(TOKEN_FIELDS.address(index)).trim(),
    decimals: form.text(TOKEN_FIELDS.decimals(index)).trim(),
    usdStablecoin: form.text(TOKEN_FIELDS.usdStablecoin(index)) === "yes",
  }));
  return {
    name: form.text("name"),
    tenancy: form.text("tenancy"),
    kind: form.text("kind"),
    tokens,
    paymentDecimals: form.text("payment_decimals").trim(),
    offeredDecimals: form.text("offered_decimals").trim(),
    tick: form.text("tick").trim(),
    price: form.text("price").trim(),
    amount: form.text("amount").trim(),
    floor: form.text("floor").trim(),
    increment: form.text("increment").trim(),
    source: form.text("source"),
    chain: form.text("chain").trim(),
    address: form.text("address").trim(),
    contractVersion: form.text("contract_version"),
    extraData: form.text("extra_data").trim(),
    keepsAmounts: form.text("keeps_amounts") === "yes",
  };
}

/** Returns the entries as fields that a page can hold; `saleEntriesOf` reads them back. */
export function fieldsOfEntries(entries: SaleEntries): readonly (readonly [name: string, value: string])[] {
  return [
    ["name", entries.name],
    ["tenancy", entries.tenancy],
    ["kind", entries.kind],
    ...entries.tokens.flatMap(({ address, decimals, usdStablecoin }, index): [string, string][] => [
      ["token", String(index)],
      [TOKEN_FIELDS.address(index), address],
      [TOKEN_FIELDS.decimals(index), decimals],
      [TOKEN_FIELDS.usdStablecoin(index), usdStablecoin ? "yes" : ""],
    ]),
    ["payment_decimals", entries.paymentDecimals],
    ["offered_decimals", entries.offeredDecimals],
    ["tick", entries.tick],
    ["price", entries.price],
    ["amount", entries.amount],
    ["floor", entries.floor],
    ["increment", entries.increment],
    ["source", entries.source],
    ["chain", entries.chain],
    ["address", entries.address],
    ["contract_version", entries.contractVersion],
    ["extra_data", entries.extraData],
    ["keeps_amounts", entries.keepsAmounts ? "yes" : ""],
  ];
}

/** Adds an empty row for another token. @returns also the field to fill next */
export function withAnotherToken(entries: SaleEntries): { readonly entries: SaleEntries; readonly focus?: string } {
  const { tokens } = entries;
  if (tokens.length >= MAX_TOKENS) return { entries };
  const another = { address: "", decimals: "6", usdStablecoin: true };
  return { entries: { ...entries, tokens: [...tokens, another] }, focus: TOKEN_FIELDS.address(tokens.length) };
}
