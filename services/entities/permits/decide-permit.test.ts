import { expect, it } from "vitest";
import type { Eligible } from "../eligibility/decide.ts";
import { sampleSale } from "../testing/sample-rules.ts";
import { permitOf } from "./decide-permit.ts";

const LIMITS = { minAmount: 0n, minPrice: 0n, opensAt: 0n, forcedLockup: false };

function made(kind: "evm" | "svm", decision: Partial<Pick<Eligible, "limits" | "payload">> = {}) {
  const entity = { entityUuid: "", publicUuid: "", saleSpecificId: new Uint8Array(16).fill(1) };
  const wallet = { kind, bytes: new Uint8Array(kind === "evm" ? 20 : 32).fill(2) };
  return permitOf({ sale: sampleSale(), entity, wallet }, { limits: LIMITS, payload: "settlement", ...decision }, 600n);
}

it("has the greatest number of each place where there is no bound", () => {
  const unbounded = { minAmount: 0n, minPrice: 0n, maxPrice: 2n ** 53n - 1n, opensAt: 0n, closesAt: 2n ** 53n - 1n };
  expect(made("evm")).toMatchObject({ ...unbounded, maxAmount: 2n ** 256n - 1n, expiresAt: 600n });
  expect(made("svm")).toMatchObject({ ...unbounded, maxAmount: 2n ** 64n - 1n });
});

it("has the bounds of the decision", () => {
  const limits = {
    minAmount: 1n,
    maxAmount: 2n,
    minPrice: 3n,
    maxPrice: 4n,
    opensAt: 5n,
    closesAt: 6n,
    forcedLockup: false,
  };
  const { forcedLockup, ...bounds } = limits;
  expect(made("evm", { limits })).toMatchObject(bounds);
});

it.each([
  ["evm", "settlement", false, "00".repeat(32)],
  ["evm", "settlement", true, `${"00".repeat(31)}01`],
  ["svm", "settlement", false, "00"],
  ["svm", "settlement", true, "01"],
  ["evm", "none", true, ""],
  ["svm", "none", false, ""],
] as const)("has the payload of %s, %s, lockup %s", (kind, payload, forcedLockup, expected) => {
  const permit = made(kind, { limits: { ...LIMITS, forcedLockup }, payload });
  expect(Buffer.from(permit.payload).toString("hex")).toBe(expected);
});
