import { expect } from "vitest";
import type { Recorded } from "./recording-order.ts";
import { BOUNDS, type Phase } from "./sale-phase.ts";
import type { StoredPermit } from "./stored-permits.ts";

/** The state that permits of a sale depend on, at a point of the recording order. */
interface State {
  phase: Phase | undefined;
  /** Hexadecimal digits. */
  key: string;
  isStopped: boolean;
  readonly frozen: Set<string>;
}

/**
 * Expects that each permit was allowed by what had been stored before it.
 *
 * @param phases by the version of the rules
 */
export function expectOrdered(
  order: readonly Recorded[],
  permits: readonly StoredPermit[],
  phases: ReadonlyMap<bigint, Phase>,
): void {
  expectLocked(order);
  const byUuid = new Map(permits.map((permit) => [permit.uuid.replaceAll("-", ""), permit]));
  const state: State = { phase: undefined, key: "", isStopped: false, frozen: new Set() };
  for (const recorded of order) {
    if (recorded.kind === "permit") expectAllowed(byUuid.get(recorded.subject), state);
    else apply(state, recorded, phases);
  }
  expect(order.filter(({ kind }) => kind === "permit")).toHaveLength(permits.length);
}

/** Expects that nobody but permits of one transaction has the same number of the lock. */
function expectLocked(order: readonly Recorded[]): void {
  const shared = order.filter(({ kind, lock }, index) => {
    const before = order[index - 1];
    return before?.lock === lock && !(kind === "permit" && before.kind === "permit");
  });
  expect(shared).toEqual([]);
}

function apply(state: State, { kind, subject, version }: Recorded, phases: ReadonlyMap<bigint, Phase>): void {
  if (kind === "rules") state.phase = phases.get(version);
  if (kind === "key") state.key = subject;
  if (kind === "freeze") state.frozen.add(subject);
  if (kind === "stop") state.isStopped = true;
}

function expectAllowed(permit: StoredPermit | undefined, { phase, key, isStopped, frozen }: State): void {
  const { minPrice, maxPrice } = BOUNDS;
  expect({ permit, phase, isStopped }).toMatchObject({
    permit: { minPrice, maxPrice },
    phase: { kind: "open" },
    isStopped: false,
  });
  const { minAmount, maxAmount } = phase?.kind === "open" ? phase : {};
  expect(permit).toMatchObject({ minAmount, maxAmount });
  expect(permit?.keyUuid.replaceAll("-", "")).toBe(key);
  expect(frozen).not.toContain(permit?.saleSpecificId);
}
