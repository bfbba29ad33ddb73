import { onTestFinished, vi } from "vitest";
import { takeRegister } from "./test-end.ts";

// Fake timers don't control `node:timers/promises`. All test files of a worker share their modules, so all get this mock.
vi.mock("node:timers/promises", async (original) => ({
  ...(await original<typeof import("node:timers/promises")>()),
  ...(await import("./fakeable-timers.ts")),
}));

takeRegister((cleanUp) => onTestFinished(async () => void (await cleanUp())));
