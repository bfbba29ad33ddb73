import { afterEach, beforeEach, expect, it, vi } from "vitest";

const reload = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
  vi.resetModules();
  reload.mockReset();
  vi.stubGlobal("location", { reload });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

it.each([
  [0, 1_000],
  [0.5, 2_000],
])("loads a page once, at a time of its own, with chance %d after %i ms", async (chance, delayMs) => {
  vi.spyOn(Math, "random").mockReturnValue(chance);
  const { reloadSoon } = await import("./browser/reload-soon.js");
  for (let second = 0; second < 5; second++) reloadSoon();
  await vi.advanceTimersByTimeAsync(delayMs - 1);
  reloadSoon();
  expect(reload).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(reload).toHaveBeenCalledOnce();
});
