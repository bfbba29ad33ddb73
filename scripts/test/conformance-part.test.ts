import { expect, it } from "vitest";
import { countCases, failedCases } from "./conformance-part.ts";

const whole =
  "Total cases: 8\n5 passed, 0 failed\n(Another 3 failed as expected due to being known failures/flakes.)\n";

it("counts cases that pass and those that differ as listed", () => {
  expect(countCases("service", true, whole)).toMatchObject({ passed: 8, failed: 0 });
});

it("takes cases that could not be run for failed ones", () => {
  const output = "Total cases: 8\n5 passed, 0 failed\nAnother 2 could not be run due to client timing out.\n";
  expect(countCases("transport", true, output)).toMatchObject({ passed: 5, failed: 2 });
});

it("takes a suite that ran nothing for a failed one", () => {
  expect(countCases("transport", true, "")).toMatchObject({ passed: 0, failed: 1 });
  expect(countCases("transport", false, "the server ended")).toMatchObject({ passed: 0, failed: 1 });
});

it("finds the names of failed cases, which may have colons and spaces", () => {
  const output = "FAILED: Errors/TLS:true/unary:\n\texpected: x\nINFO: Basic/y failed (as expected):\n\tz\n";
  expect(failedCases(output)).toEqual(["Errors/TLS:true/unary"]);
});
