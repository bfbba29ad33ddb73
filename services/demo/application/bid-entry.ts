import type { DemoSale } from "../sales/demo-sales.ts";

/** A bid as somebody has entered it. */
export interface EnteredBid {
  readonly token: string;
  /** Total in smallest units. */
  readonly amount: bigint;
  readonly priceTicks: bigint;
}

const DIGITS = /^\d{1,9}$/;

/** Reads the fields of the bid's form: `token`, `amount` in whole tokens and `price` in ticks. @throws Error naming the field */
export function readBid(fields: URLSearchParams, { tokens, oneToken }: DemoSale): EnteredBid {
  const token = tokens.find((address) => address === fields.get("token"));
  if (token === undefined) throw new Error("The token isn’t one of the sale’s.");
  const amount = numberIn(fields.get("amount"), "The amount");
  return { token, amount: amount * oneToken, priceTicks: numberIn(fields.get("price"), "The price") };
}

function numberIn(text: string | null, name: string): bigint {
  if (text === null || !DIGITS.test(text)) throw new Error(`${name} must be a whole number of at most nine digits.`);
  return BigInt(text);
}
