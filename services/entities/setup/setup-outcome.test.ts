import { expect, it } from "vitest";
import { sampleEntity } from "../testing/sample-entity.ts";
import { applyOutcome, approvalEnd, isNewer } from "./setup-outcome.ts";

const source = { provider: "review", occurredAtMs: 50n } as const;
const waiting = sampleEntity({ setupState: "ready_for_review", country: "DE", submittedAtMs: 40n });
const approved = sampleEntity({ setupState: "complete", country: "DE", provider: "webhook", approvalExpiresAtMs: 90n });

it("approves an entity with provider, country and end", () => {
  const after = applyOutcome(waiting, { kind: "approved", country: "FR", expiresAtMs: 99n }, source);
  expect(after).toEqual({
    ...waiting,
    setupState: "complete",
    country: "FR",
    provider: "review",
    submittedAtMs: undefined,
    approvalExpiresAtMs: 99n,
    setupAtMs: 50n,
    version: 2n,
  });
});

it.each([
  [{ kind: "refused", reason: "Unreadable", final: false }, "failure", "Unreadable"],
  [{ kind: "refused", reason: "Forged", final: true }, "failure_final", "Forged"],
  [{ kind: "progress", state: "in_review" }, "in_review", ""],
] as const)("takes an approval away by %o", (outcome, setupState, setupReason) => {
  const after = applyOutcome(approved, outcome, source);
  expect(after).toMatchObject({ setupState, setupReason, provider: undefined, approvalExpiresAtMs: undefined });
});

it.each([
  ["older", 49n, false],
  ["of the same time", 50n, false],
  ["newer", 51n, true],
])("knows that an outcome is %s", (_, occurredAtMs, expected) => {
  expect(isNewer({ setupAtMs: 50n }, { provider: "webhook", occurredAtMs })).toBe(expected);
});

it.each([
  ["no end at all", undefined, 0n, undefined],
  ["the named end", 150n, 0n, 150n],
  ["the lifetime", undefined, 100n, 110n],
  ["the named end within the lifetime", 105n, 100n, 105n],
  ["the lifetime, if the named end is later", 150n, 100n, 110n],
])("ends an approval by %s", (_, named, lifetimeMs, expected) => {
  expect(approvalEnd(named, lifetimeMs, 10n)).toBe(expected);
});
