import { EventEmitter } from "node:events";
import { expect, it, vi } from "vitest";
import { captureLog } from "../testing/log-capture.ts";
import { logLibraryOutput } from "./library-output.ts";

it("makes lines of the log of what libraries print and the runtime warns of", () => {
  const { logger, lines } = captureLog();
  const print = vi.fn();
  const target = { trace: print, debug: print, log: print, info: print, warn: print, error: print };
  const warnings = new EventEmitter().on("warning", print);
  logLibraryOutput(logger, target, warnings);
  target.log("reader closed", new Error("lost"));
  target.error("aborting %s", "now");
  warnings.emit("warning", new Error("-5 is a negative number"));
  expect(print).not.toHaveBeenCalled();
  expect(lines).toMatchObject([
    { level: "info", output: expect.stringContaining("reader closed Error: lost"), msg: "a library printed a text" },
    { level: "error", output: "aborting now" },
    { level: "warn", err: { message: "-5 is a negative number" } },
  ]);
});
