/** Labels of the fields of a sale's form, by their IDs without the index of a token. */
const LABELS: Readonly<Record<string, string>> = {
  name: "Name of the sale",
  "kind-fixed": "How the price is found",
  price: "Price of one token",
  floor: "Lowest price",
  increment: "Price step",
  amount: "Tokens for sale",
  offered_decimals: "Decimals of your token",
  tick: "Price tick",
  token_address: "Address of the token",
  token_decimals: "Decimals",
  token_usd: "One token is one US dollar",
  payment_decimals: "Common decimals",
  "source-none": "Where commitments are read from",
  chain: "Chain",
  address: "Contract",
  contract_version: "Stages of the contract",
  extra_data: "Extra data",
  keeps_amounts: "Cancelled commitments keep their amounts",
};

/**
 * Returns the label of a field, for the form and its list of errors. Payment tokens are numbered from the second on.
 */
export function labelOf(field: string): string {
  const [, name = field, index = "0"] = /^(token_[a-z]+)_(\d+)$/.exec(field) ?? [];
  const label = LABELS[name] ?? name;
  return index === "0" ? label : `${label} (${Number(index) + 1})`;
}
