import { expect, test } from "vitest";
import { DatabaseClock } from "./database-clock.ts";

test("a clock goes on from the last read of the database's clock", () => {
  const local = { monotonicMs: 5_000, wallMs: 900_000 };
  const clock = new DatabaseClock(() => ({ ...local }));
  expect(clock.now()).toBeUndefined();
  clock.note(1_000_000n);
  expect(clock.now()).toBe(1_000_000n);
  local.monotonicMs += 1_234.9;
  local.wallMs += 1_235;
  expect(clock.now()).toBe(1_001_234n);
  clock.note(1_002_000n);
  expect(clock.now()).toBe(1_002_000n);
});

test("a read that is too old isn't used", () => {
  const local = { monotonicMs: 50_000, wallMs: 900_000 };
  const clock = new DatabaseClock(() => ({ ...local }));
  clock.note(1_000_000n);
  Object.assign(local, { monotonicMs: 60_000, wallMs: 910_000 });
  expect(clock.now()).toBe(1_010_000n);
  Object.assign(local, { monotonicMs: 60_001, wallMs: 910_001 });
  expect(clock.now()).toBeUndefined();
});

test.each([4_000, 200, -3_600_000, 3_600_000])(
  "a read from before this machine's clock was set by %d ms isn't used",
  (stepMs) => {
    const local = { monotonicMs: 50_000, wallMs: 900_000 };
    const clock = new DatabaseClock(() => ({ ...local }));
    clock.note(1_000_000n);
    Object.assign(local, { monotonicMs: 51_000, wallMs: 901_000 + stepMs });
    expect(clock.now()).toBeUndefined();
    clock.note(1_001_000n);
    expect(clock.now()).toBe(1_001_000n);
  },
);
