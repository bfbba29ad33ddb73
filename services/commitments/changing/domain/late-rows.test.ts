import { expect, it } from "vitest";
import type { CommitmentRow } from "../../base/domain/stored-commitment.ts";
import { openState, recordOf } from "../../testing/samples.ts";
import { withLateRows } from "./late-rows.ts";

const NOW = 1_800_000_000n;
const HOUR = 3_600n;
const CHANGE = { nowMillis: 1000n * NOW, revision: 8n };

const rowsAt = (...times: readonly bigint[]): CommitmentRow[] =>
  times.map((createdAtSeconds, index) => ({
    record: recordOf(index, { createdAtSeconds }),
    ...{ amount: 1n, hasAmount: true, digest: "", countingClass: 1n },
  }));

it("notes from when on the history lacks commitments, and the revision that has them", () => {
  const state = withLateRows(openState, rowsAt(NOW - 3n * HOUR, NOW - 9n * HOUR, NOW), CHANGE);
  expect(state.lateRows).toEqual({ fromSeconds: NOW - 9n * HOUR, revision: 8n });
  const later = withLateRows(state, rowsAt(NOW - 2n * HOUR), { ...CHANGE, revision: 9n });
  expect(later.lateRows).toEqual({ fromSeconds: NOW - 9n * HOUR, revision: 9n });
  expect(withLateRows(later, rowsAt(NOW - 60n), { ...CHANGE, revision: 10n })).toBe(later);
});

it("takes commitments of the last hour, of the future, and from before any history as they come", () => {
  for (const time of [NOW - HOUR, NOW, NOW + 9n * HOUR, 0n, NOW - 6n * 365n * 24n * HOUR]) {
    expect(withLateRows(openState, rowsAt(time), CHANGE)).toBe(openState);
  }
});
