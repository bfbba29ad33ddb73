import { Writable } from "node:stream";
import { WriteStream } from "node:tty";
import { afterEach, expect, it, vi } from "vitest";
import { alignColumns } from "./align-columns.ts";
import { paintFor, unpainted } from "./paint.ts";

/** Variables besides TERM from which Node finds out how many colours a terminal has; a CI machine sets some of them. */
const variables = ["NO_COLOR", "NODE_DISABLE_COLORS", "FORCE_COLOR", "CI", "TF_BUILD", "TEAMCITY_VERSION", "COLORTERM"];

function output(isTTY: boolean) {
  return Object.assign(new Writable(), { isTTY, getColorDepth: WriteStream.prototype.getColorDepth });
}

afterEach(() => vi.unstubAllEnvs());

it("paints on a terminal only", () => {
  for (const name of variables) vi.stubEnv(name, undefined);
  vi.stubEnv("TERM", "xterm-256color");
  expect(paintFor(output(true))("green", "open")).toBe("\u001b[32mopen\u001b[39m");
  expect(paintFor(output(false))("green", "open")).toBe("open");
  expect(unpainted("green", "open")).toBe("open");
});

it("paints nothing where NO_COLOR is set", () => {
  for (const name of variables) vi.stubEnv(name, undefined);
  vi.stubEnv("NO_COLOR", "1");
  expect(paintFor(output(true))("green", "open")).toBe("open");
});

it("aligns columns by what is seen", () => {
  const [first, second] = alignColumns([
    ["\u001b[32mopen\u001b[39m", "x"],
    ["settled", "y"],
  ]).split("\n");
  expect(first).toBe("\u001b[32mopen\u001b[39m     x");
  expect(second).toBe("settled  y");
});
