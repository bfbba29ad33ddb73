import { describe, expect, it } from "vitest";
import { VERSION } from "../config/version.ts";
import { actionOf, type Task, UsageError } from "./main-arguments.ts";

const serve = async () => {};
const migrate: Task = { argument: "--migrate", summary: "bring the tables up to date", run: async () => {} };
const done: unknown[] = [];
const check: Task = {
  argument: "--check",
  summary: "check what it needs",
  options: ["--json"],
  run: async (options) => void done.push(options),
};
const action = (...args: string[]) => actionOf(args, "main.ts", serve, [migrate, check]);

describe("actionOf", () => {
  it("serves without an argument, and runs the task that one names with its options", async () => {
    expect(action()).toEqual({ run: serve });
    for (const args of [["--check"], ["--check", "--json"]]) {
      const chosen = action(...args);
      if ("run" in chosen) await chosen.run();
    }
    expect(done).toEqual([[], ["--json"]]);
  });

  it("prints the known arguments, and the version", () => {
    expect(action("--help")).toEqual({ text: expect.stringMatching(/^Usage: node main\.ts \[ARGUMENT\]\n/) });
    expect(action("--help")).toEqual({ text: expect.stringMatching(/\n {2}--migrate +bring the tables up to date\n/) });
    expect(action("--help")).toEqual({
      text: expect.stringMatching(/\n {2}--check \[--json\] +check what it needs\n/),
    });
    expect(action("--version")).toEqual({ text: `${VERSION}\n` });
  });

  it.each([
    [["--migrat"], 'unknown argument "--migrat"; --help lists those that are known'],
    [["-h"], 'unknown argument "-h"; --help lists those that are known'],
    [[""], 'unknown argument ""; --help lists those that are known'],
    [["--migrate", "now"], "expected at most one argument; --help lists them"],
    [["--check", "now"], "--check takes only --json; --help lists them"],
    [["--help", "--migrate"], "expected at most one argument; --help lists them"],
  ])("refuses %j", (args, message) => {
    expect(() => action(...args)).toThrow(UsageError);
    expect(() => action(...args)).toThrow(message);
  });
});
