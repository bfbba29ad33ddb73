import { expect, it } from "vitest";
import { AUCTION } from "../sales/demo-sales.ts";
import { readBid } from "./bid-actions.ts";

const [token = ""] = AUCTION.tokens;
const read = (fields: Readonly<Record<string, string>>) =>
  readBid(new URLSearchParams({ token, amount: "250", price: "400", ...fields }), AUCTION);

it("reads whole tokens as smallest units, and ticks", () => {
  expect(read({})).toEqual({ token, amount: 250_000_000n, priceTicks: 400n });
});

it.each([
  ["amount", "2.5", "The amount must be"],
  ["amount", "", "The amount must be"],
  ["price", "-1", "The price must be"],
  ["price", "1234567890", "The price must be"],
  ["token", "0x0", "The token isn’t"],
])("refuses %s %j", (field, value, message) => {
  expect(() => read({ [field]: value })).toThrow(message);
});
