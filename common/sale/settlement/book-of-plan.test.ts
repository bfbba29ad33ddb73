import { expect, it } from "vitest";
import { randomBook } from "../../../test/support/sales/random-book.ts";
import { bookOfPlan } from "./book-of-plan.ts";
import { settle } from "./settle.ts";
import { planTexts } from "./settlement-json.ts";

type Plan = ReturnType<typeof JSON.parse>;

/** A plan of an auction with a source, commitments and amounts. */
const PLAN = [...planTexts(settle(randomBook(4)))].join("");

it.each<[string, (plan: Plan) => unknown]>([
  ["plan must be an object", () => []],
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
      ...plan,
      commitments: [{ ...one, amounts: [{ wallet: "0x1", token: "0xdead", committed: "1" }] }],
    }),
  ],
  ["twice", ({ commitments: [one, ...others], ...plan }) => ({ ...plan, commitments: [one, one, ...others] })],
])("refuses a plan whose field is wrong: %s", (message, change) => {
  expect(() => bookOfPlan(change(JSON.parse(PLAN)))).toThrow(message);
});

it("is canonical JSON: members by name, no white space, integers as texts", () => {
  const { commitments, ...plan } = JSON.parse(PLAN);
  expect(commitments.length).toBeGreaterThan(1);
  expect(Object.keys({ commitments, ...plan })).toEqual(Object.keys({ commitments, ...plan }).sort());
  expect(PLAN).toBe(JSON.stringify({ commitments, ...plan }));
  expect(PLAN.match(/:\d+/g)?.every((number) => Number(number.slice(1)) <= 36)).toBe(true);
});
