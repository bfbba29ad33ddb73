import { describe, expect, it } from "vitest";
import { VERSION } from "../config/version.ts";
import { actionOf, type Task, UsageError } from "./main-arguments.ts";

const serve = async () => {};
const migrate: Task = { argument: "--migrate", summary: "bring the tables up to date", run: async () => {} };
const action = (...args: string[]) => actionOf(args, "main.ts", serve, [migrate]);

describe("actionOf", () => {
  it("serves without an argument, and runs the task that one names", () => {
    expect(action()).toEqual({ run: serve });
    expect(action("--migrate")).toEqual({ run: migrate.run });
  });

  it("prints the known arguments, and the version", () => {
    expect(action("--help")).toEqual({ text: expect.stringMatching(/^Usage: node main\.ts \[ARGUMENT\]\n/) });
    expect(action("--help")).toEqual({ text: expect.stringMatching(/\n {2}--migrate +bring the tables up to date\n/) });
    expect(action("--version")).toEqual({ text: `${VERSION}\n` });
  });

  it.each([
    [["--migrat"], 'unknown argument "--migrat"; --help lists those that are known'],
    [["-h"], 'unknown argument "-h"; --help lists those that are known'],
    [[""], 'unknown argument ""; --help lists those that are known'],
    [["--migrate", "now"], "expected at most one argument; --help lists them"],
    [["--help", "--migrate"], "expected at most one argument; --help lists them"],
  ])("refuses %j", (args, message) => {
    expect(() => action(...args)).toThrow(UsageError);
    expect(() => action(...args)).toThrow(message);
  });
});
