import fc from "fast-check";
import { expect, it } from "vitest";
import type { Entity } from "../base/entity.ts";
import { sampleEntity } from "../testing/sample-entity.ts";
import {
  applyOutcome,
  approvalEnd,
  reportedStateOf,
  reportTime,
  type SetupOutcome,
  stateOf,
  supersedes,
} from "./setup-outcome.ts";

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

/** The content of a callback, and its time by the vendor's clock. */
interface Report {
  readonly outcome: SetupOutcome;
  readonly occurredAtMs: bigint;
}

const NOW = 1_000n;
const LATER = 5n;

/** Returns the entity after a report that arrived at `nowMs`. */
function receiveAt(nowMs: bigint, entity: Entity, { outcome, occurredAtMs }: Report): Entity {
  const time = reportTime({ state: stateOf(outcome), occurredAtMs }, nowMs);
  const reported = { provider: "webhook", occurredAtMs: time } as const;
  return supersedes(entity, outcome, reported) ? applyOutcome(entity, outcome, reported) : entity;
}

/** Returns the entity after a report that arrived at `NOW`. */
const receive = (entity: Entity, report: Report) => receiveAt(NOW, entity, report);

/** Returns what others see of an entity. */
const visible = ({ version: _, ...entity }: Entity) => entity;

const IN_ORDER: readonly SetupOutcome[] = [
  { kind: "progress", state: "not_started" },
  { kind: "progress", state: "in_progress" },
  { kind: "progress", state: "ready_for_review" },
  { kind: "progress", state: "in_review" },
  { kind: "progress", state: "technical_issue" },
  { kind: "approved", country: "DE", expiresAtMs: undefined },
  { kind: "refused", reason: "Forged", final: false },
  { kind: "refused", reason: "Forged", final: true },
];

const outcomes: fc.Arbitrary<SetupOutcome> = fc.oneof(
  fc.constantFrom(...IN_ORDER),
  fc.record({
    kind: fc.constant("approved" as const),
    country: fc.constantFrom("DE", "US"),
    expiresAtMs: fc.constantFrom(undefined, 2_000n, 3_000n),
  }),
  fc.record({ kind: fc.constant("refused" as const), reason: fc.constantFrom("", "Unreadable"), final: fc.boolean() }),
);

it("ends the same in any order of arrival, whichever times the vendor's clock names", () => {
  // Three times in the past, and two of a clock that is ahead.
  const reports = fc.record({ outcome: outcomes, occurredAtMs: fc.constantFrom(1n, 2n, NOW, NOW + LATER, NOW + 240n) });
  const orders = fc
    .array(reports, { maxLength: 6 })
    .chain((sent) => fc.tuple(fc.constant(sent), fc.shuffledSubarray(sent, { minLength: sent.length })));
  fc.assert(
    fc.property(orders, ([sent, arrived]) => {
      const fresh = sampleEntity({ uuid: "e", accountUuid: "a", createdAtMs: 0n });
      expect(visible(arrived.reduce(receive, fresh))).toEqual(visible(sent.reduce(receive, fresh)));
    }),
  );
});

it.each(IN_ORDER.flatMap((earlier, index) => IN_ORDER.slice(index + 1).map((later) => [later, earlier] as const)))(
  "keeps %j rather than %j of the same time",
  (later, earlier) => {
    const [first, second] = [later, earlier].map((outcome) => ({ outcome, occurredAtMs: 50n }));
    if (first === undefined || second === undefined) throw new Error("two reports");
    const fresh = sampleEntity();
    expect(visible(receive(receive(fresh, first), second))).toEqual(visible(receive(fresh, first)));
    expect(visible(receive(receive(fresh, second), first))).toEqual(visible(receive(fresh, first)));
  },
);

it("keeps a refusal of the same time from being overtaken after the user has begun again", () => {
  const refused = receive(sampleEntity(), {
    outcome: { kind: "refused", reason: "", final: false },
    occurredAtMs: 50n,
  });
  const again: Entity = { ...refused, setupState: "in_progress", reportedState: reportedStateOf(refused) };
  const approval = { kind: "approved", country: "DE", expiresAtMs: undefined } as const;
  expect(receive(again, { outcome: approval, occurredAtMs: 50n })).toBe(again);
  expect(receive(again, { outcome: { kind: "refused", reason: "x", final: false }, occurredAtMs: 50n })).toBe(again);
  const final = receive(again, { outcome: { kind: "refused", reason: "", final: true }, occurredAtMs: 50n });
  expect(final).toMatchObject({ setupState: "failure_final", reportedState: undefined });
  expect(receive(again, { outcome: approval, occurredAtMs: 51n }).setupState).toBe("complete");
});

it("keeps a final refusal, in any order of arrival, against all that another check reports at any time", () => {
  const times = fc.bigInt({ min: 1n, max: NOW });
  const another = outcomes.filter((outcome) => stateOf(outcome) !== "failure_final");
  const others = fc.array(fc.record({ outcome: another, occurredAtMs: times }), { maxLength: 5 });
  fc.assert(
    fc.property(others, times, fc.nat({ max: 5 }), (sent, occurredAtMs, index) => {
      const refusal = { outcome: { kind: "refused", reason: "Forged", final: true }, occurredAtMs } as const;
      const reports = sent
        .map((report) => ({ ...report, check: "02" }))
        .toSpliced(index, 0, { ...refusal, check: "01" });
      const last = reports.reduce((entity, { outcome, check, ...report }) => {
        const source = { provider: "webhook", occurredAtMs: report.occurredAtMs, check } as const;
        return supersedes(entity, outcome, source) ? applyOutcome(entity, outcome, source) : entity;
      }, sampleEntity());
      expect(last.setupState).toBe("failure_final");
    }),
  );
});

/** A report of a check, or about the entity itself. */
interface CheckReport extends Report {
  readonly check: string;
  readonly isOfEntity: boolean;
}

function receiveOf(entity: Entity, { outcome, ...from }: CheckReport): Entity {
  const reported = { provider: "webhook", ...from } as const;
  return supersedes(entity, outcome, reported) ? applyOutcome(entity, outcome, reported) : entity;
}

const isFinal = ({ outcome }: CheckReport) => stateOf(outcome) === "failure_final";

/**
 * Whether the order of arrival decides: a final refusal was overruled by a later report of the same check or about the entity, and
 * another check has reported as well. Only the latest that counts is stored, so an overruled refusal isn't known any more.
 */
function isOverruledBesideAnother(reports: readonly CheckReport[]): boolean {
  const checks = new Set(reports.filter((report) => !report.isOfEntity || isFinal(report)).map(({ check }) => check));
  const isOverruled = (refusal: CheckReport) =>
    reports.some(
      (report) =>
        !isFinal(report) &&
        report.occurredAtMs > refusal.occurredAtMs &&
        (report.isOfEntity || report.check === refusal.check),
    );
  return checks.size > 1 && reports.filter(isFinal).some(isOverruled);
}

function permutations<T>(items: readonly T[]): readonly (readonly T[])[] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));
}

it("ends the same in all orders of up to three reports of checks and about the entity itself", () => {
  const origins = fc.constantFrom(
    { check: "01", isOfEntity: false },
    { check: "02", isOfEntity: false },
    { check: "reference", isOfEntity: true },
  );
  const contents = fc.array(fc.tuple(outcomes, origins), { minLength: 2, maxLength: 3 });
  fc.assert(
    fc.property(contents, (given) => {
      const reports = given.map(([outcome, origin], at) => ({ outcome, ...origin, occurredAtMs: BigInt(at + 1) }));
      fc.pre(reports.length === 2 || !isOverruledBesideAnother(reports));
      const fresh = sampleEntity({ uuid: "e", accountUuid: "a", createdAtMs: 0n });
      const [first, ...others] = permutations(reports).map((order) => visible(order.reduce(receiveOf, fresh)));
      for (const other of others) expect(other).toEqual(first);
    }),
    { numRuns: 500 },
  );
});

it.each([
  ["an approval about the entity itself", "failure_final", "complete", [false, true], "complete"],
  ["a later approval of the same check", "failure_final", "complete", [false, false], "complete"],
  ["a final refusal of the entity itself", "failure_final", "complete", [true, false], "failure_final"],
] as const)("holds by %s, however often the older report is sent", (_, older, later, [olderIs, laterIs], expected) => {
  const outcomeOf = (state: "complete" | "failure_final"): SetupOutcome =>
    state === "complete"
      ? { kind: "approved", country: "DE", expiresAtMs: undefined }
      : { kind: "refused", reason: "Forged", final: true };
  const report = (state: "complete" | "failure_final", isOfEntity: boolean, occurredAtMs: bigint) => ({
    outcome: outcomeOf(state),
    occurredAtMs,
    isOfEntity,
    check: isOfEntity ? "reference" : "01",
  });
  const [first, second] = [report(older, olderIs, 1n), report(later, laterIs, 2n)];
  for (const order of [
    [first, second, first],
    [second, first],
    [second, first, first],
  ]) {
    expect(order.reduce(receiveOf, sampleEntity()).setupState).toBe(expected);
  }
});

it("doesn't let a clock that is ahead hide what comes next", () => {
  const early = receive(sampleEntity(), {
    outcome: { kind: "progress", state: "in_review" },
    occurredAtMs: NOW + 240n,
  });
  expect(early.setupAtMs).toBe(NOW);
  const approval = { kind: "approved", country: "DE", expiresAtMs: undefined } as const;
  expect(receiveAt(NOW + LATER, early, { outcome: approval, occurredAtMs: NOW + 1n }).setupState).toBe("complete");
});

it("keeps a refusal that the vendor's clock stamped last, in any order of arrival, at any times, however far that clock is ahead", () => {
  const times = fc.bigInt({ min: 1n, max: NOW + 300n });
  const earlier = fc.array(fc.record({ outcome: outcomes, occurredAtMs: times }), { maxLength: 5 });
  const arrivals = fc.array(fc.bigInt({ min: 0n, max: 600n }), { minLength: 6, maxLength: 6 });
  fc.assert(
    fc.property(earlier, fc.boolean(), fc.nat({ max: 5 }), arrivals, (sent, final, index, waits) => {
      const refusal: Report = { outcome: { kind: "refused", reason: "Forged", final }, occurredAtMs: NOW + 301n };
      let nowMs = NOW;
      const last = sent.toSpliced(index, 0, refusal).reduce((entity, report, at) => {
        nowMs += waits[at] ?? 0n;
        return receiveAt(nowMs, entity, report);
      }, sampleEntity());
      expect(last).toMatchObject({ setupState: stateOf(refusal.outcome), setupReason: "Forged" });
    }),
  );
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
