import { expect, it } from "vitest";
import type { PositionCommitment } from "../../../client/index.ts";
import { SetupState } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { FAILURE_REASONS } from "../../entities/eligibility/decide.ts";
import { outcomeText, REASON_TEXTS, SETUP_TEXTS } from "./answer-texts.ts";
import { statesPage } from "./states-page.ts";

it("has every reason of the check, in its order", () => {
  expect(Object.keys(REASON_TEXTS)).toEqual([...FAILURE_REASONS]);
});

it("has every state of the identity check", () => {
  const states = Object.keys(SetupState).filter((name) => Number.isNaN(Number(name)) && name !== "UNSPECIFIED");
  expect(Object.keys(SETUP_TEXTS)).toEqual(states.map((name) => name.toLowerCase().replaceAll("_", "-")));
});

it("shows each state and each reason with the API's answer", async () => {
  const page = String(await statesPage("https://tidemark.example"));
  for (const name of [...Object.keys(SETUP_TEXTS), ...Object.keys(REASON_TEXTS)]) {
    expect(page).toContain(`<summary><code>${name}</code></summary>`);
    expect(page).toMatch(new RegExp(`&quot;(EntitySetupState|FailureReason)&quot;: &quot;${name}&quot;`));
  }
  expect(page).toContain("https://tidemark.example/account/liveness");
});

it.each([
  [{ Counted: true, ClearingOutcome: "in" }, "In:"],
  [{ Counted: true, ClearingOutcome: "at_margin" }, "At the margin:"],
  [{ Counted: true, ClearingOutcome: "out" }, "Out: its price is below the present"],
  [{ Counted: true, ClearingOutcome: "below_floor" }, "Out: its price is below the auction’s floor"],
  [{ Counted: true }, "Counts."],
  [{ Counted: false, NotCountedReason: "refunded" }, "Doesn’t count: it was refunded."],
  [{ Counted: false, NotCountedReason: "no_amount" }, "Doesn’t count: it has no amount."],
] as const)("says how a commitment counts that is %j", (fields, expected) => {
  expect(outcomeText(fields as PositionCommitment)).toContain(expected);
});
