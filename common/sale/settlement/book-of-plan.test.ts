import { expect, it } from "vitest";
import { randomBook } from "../../../test/support/sales/random-book.ts";
import { bookOfPlan } from "./book-of-plan.ts";
import { settle } from "./settle.ts";
import type { SettlementBook } from "./settlement-book.ts";
import { planTexts } from "./settlement-json.ts";

type Plan = ReturnType<typeof JSON.parse>;

/** A plan of an auction with a source, commitments and amounts. */
const PLAN = [...planTexts(settle(randomBook(4)))].join("");

async function bookOf(text: string, length = text.length): Promise<SettlementBook> {
  const pieces = async function* () {
    for (let from = 0; from < text.length; from += length) yield text.slice(from, from + length);
  };
  return bookOfPlan(pieces());
}

it.each<[string, (plan: Plan) => unknown]>([
  ["the plan must be canonical JSON", () => []],
  ["the plan must be canonical JSON", ({ format }) => ({ format })],
  ["plan.commitments must be a list of objects", (plan) => ({ ...plan, commitments: [1] })],
  ["plan.format must be one of tidemark.settlement/1", (plan) => ({ ...plan, format: "other" })],
  ["plan.input.stage must be one of", ({ input, ...plan }) => ({ ...plan, input: { ...input, stage: "soon" } })],
  [
    "plan.input.revision must be a decimal integer",
    ({ input, ...plan }) => ({ ...plan, input: { ...input, revision: 7 } }),
  ],
  [
    "plan.terms.paymentTokenDecimals must be an integer from 0 to 36",
    ({ terms, ...plan }) => ({ ...plan, terms: { ...terms, paymentTokenDecimals: 1e9 } }),
  ],
  [
    "numerator must be more than 0",
    ({ terms, ...plan }) => ({ ...plan, terms: { ...terms, priceTick: { numerator: "0", denominator: "1" } } }),
  ],
  ["plan.limits must be a list", (plan) => ({ ...plan, limits: {} })],
  ["plan.refusals[0].wallet must be a text", (plan) => ({ ...plan, refusals: [{ reason: "x" }] })],
  ["plan.commitments[0].commitmentId must be 0x and 32 bytes", (plan) => ({ ...plan, commitments: [{ amounts: [] }] })],
  [
    "have no payment token 0xdead",
    ({ commitments: [one], ...plan }) => ({
      commitments: [{ ...one, amounts: [{ wallet: "0x1", token: "0xdead", committed: "1" }] }],
      ...plan,
    }),
  ],
  ["twice", ({ commitments: [one, ...others], ...plan }) => ({ commitments: [one, one, ...others], ...plan })],
])("refuses a plan whose field is wrong: %s", async (message, change) => {
  await expect(bookOf(JSON.stringify(change(JSON.parse(PLAN))))).rejects.toThrow(message);
});

it("reads a plan in pieces of any size, and refuses one that is cut off anywhere", async () => {
  const whole = await bookOf(PLAN);
  expect(whole.commitments.length).toBeGreaterThan(1);
  for (const length of [1, 2, 7, 1_000]) expect(await bookOf(PLAN, length)).toEqual(whole);
  for (let end = 0; end < PLAN.length; end += 1) {
    await expect(bookOf(PLAN.slice(0, end))).rejects.toThrow(/must be whole|JSON/);
  }
});

it("finds the end of a commitment whatever its texts hold", async () => {
  const { commitments, ...plan } = JSON.parse(PLAN);
  const [commitment] = commitments;
  const wallets = ['}]}"', "\\", '\\"{[', "ü🜁\n", ""];
  const amounts = wallets.map((wallet) => ({ ...commitment.amounts[0], wallet }));
  const text = JSON.stringify({ commitments: [{ ...commitment, amounts }, ...commitments.slice(1)], ...plan });
  for (const length of [1, 3, 1_000]) {
    const book = await bookOf(text, length);
    expect(book.commitments[0]?.amounts.map(({ wallet }) => wallet)).toEqual(wallets);
  }
});

it("is canonical JSON: members by name, no white space, integers as texts", () => {
  const { commitments, ...plan } = JSON.parse(PLAN);
  expect(commitments.length).toBeGreaterThan(1);
  expect(Object.keys({ commitments, ...plan })).toEqual(Object.keys({ commitments, ...plan }).sort());
  expect(PLAN).toBe(JSON.stringify({ commitments, ...plan }));
  expect(PLAN.match(/:\d+/g)?.every((number) => Number(number.slice(1)) <= 36)).toBe(true);
});
