import { expect, test } from "vitest";
import { DatabaseClock } from "./database-clock.ts";

test("a clock goes on from the last read of the database's clock", () => {
  let local = 5_000;
  const clock = new DatabaseClock(() => local);
  expect(clock.now()).toBeUndefined();
  clock.note(1_000_000n);
  expect(clock.now()).toBe(1_000_000n);
  local += 1_234.9;
  expect(clock.now()).toBe(1_001_234n);
  clock.note(1_002_000n);
  expect(clock.now()).toBe(1_002_000n);
});

test("a read that is too old, or from before this machine's clock was set back, isn't used", () => {
  let local = 50_000;
  const clock = new DatabaseClock(() => local);
  clock.note(1_000_000n);
  local = 60_000;
  expect(clock.now()).toBe(1_010_000n);
  local = 60_001;
  expect(clock.now()).toBeUndefined();
  local = 49_999;
  expect(clock.now()).toBeUndefined();
});
