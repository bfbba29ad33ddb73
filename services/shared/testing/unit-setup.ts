import { vi } from "vitest";

// Fake timers don't govern `node:timers/promises`. All files of a worker share their modules, so this holds for all of them.
vi.mock("node:timers/promises", async (original) => ({
  ...(await original<typeof import("node:timers/promises")>()),
  ...(await import("./fakeable-timers.ts")),
}));
