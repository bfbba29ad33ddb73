import { describe, expect, it } from "vitest";
import { UsageError } from "./base/cli-error.ts";
import type { Command } from "./base/command.ts";
import { COMMANDS } from "./commands.ts";
import { commandHelp, groupHelp, programHelp } from "./help.ts";
import { parseCommandLine } from "./parse-command-line.ts";

const show: Command = {
  name: "sale show",
  positionals: ["UUID"],
  summary: "show it",
  options: {
    json: { type: "boolean", help: "as JSON" },
    field: { type: "string", multiple: true, value: "NAME", help: "only these" },
  },
  run: async () => {},
};

const parse = (...args: string[]) => parseCommandLine([show], args);

describe("parseCommandLine", () => {
  it("reads options and positionals in any order", () => {
    const line = parse("sale", "show", "--field", "a", "u", "--json", "--field=b");
    if (line.kind !== "run") throw new Error("expected a command to run");
    expect(line.command).toBe(show);
    expect(line.input.positionals).toEqual(["u"]);
    expect([line.input.texts("field"), line.input.text("field"), line.input.flag("json")]).toEqual([
      ["a", "b"],
      "a",
      true,
    ]);
  });

  it("has nothing for options that aren't given", () => {
    const line = parse("sale", "show", "u");
    if (line.kind !== "run") throw new Error("expected a command to run");
    expect([line.input.texts("field"), line.input.text("field"), line.input.flag("json")]).toEqual([
      [],
      undefined,
      false,
    ]);
  });

  it.each([
    ["sale show u --jsn", "Unknown option '--jsn'"],
    ["sale show u --json=yes", "Option '--json' does not take an argument"],
    ["sale show u --field", "Option '--field <value>' argument missing"],
    ["sale show", "UUID is missing"],
    ["sale show u v", '"v" is one argument too many'],
    ["sale hide", 'there is no command "sale hide"'],
    ["--json", 'there is no command ""'],
  ])("refuses %s", (line, message) => {
    expect(() => parse(...line.split(" "))).toThrow(new UsageError(message));
  });

  it.each([[""], ["--help"], ["-h"], ["help"]])("answers %s with the list of commands", (line) => {
    expect(parse(...line.split(" ").filter((word) => word !== ""))).toEqual({ kind: "help" });
  });

  it.each([["sale"], ["sale --help"], ["sale -h"], ["sale help"]])(
    "answers %s with the commands of the group",
    (line) => {
      expect(parse(...line.split(" "))).toEqual({ kind: "help", group: "sale" });
    },
  );

  it("knows its version and the shells that it completes in", () => {
    expect(parse("--version")).toEqual({ kind: "version" });
    expect(parse("completion", "zsh")).toEqual({ kind: "completion", shell: "zsh" });
    expect(() => parse("completion")).toThrow(new UsageError("completion expects one of bash, zsh"));
    expect(() => parse("completion", "fish")).toThrow(new UsageError("completion expects one of bash, zsh"));
  });

  it("answers --help behind a command with its help, even without its positionals", () => {
    expect(parse("sale", "show", "--help")).toEqual({ kind: "help", command: show });
  });
});

describe("the help", () => {
  it("lists every command", () => {
    for (const { name } of COMMANDS) expect(programHelp(COMMANDS)).toMatch(new RegExp(`^  ${name}\\b`, "m"));
  });

  it("of a group lists its commands and no others", () => {
    const text = groupHelp(COMMANDS, "sale");
    const listed = Array.from(text.matchAll(/^ {2}(\S+ \S+)/gm), ([, name]) => name);
    expect(listed).toEqual(COMMANDS.map(({ name }) => name).filter((name) => name.startsWith("sale ")));
    expect(text).toMatch(/^ {2}sale withdraw UUID +withdraw an open or settled sale/m);
  });

  it("of an option with a fixed set of values names all of them", () => {
    const list = COMMANDS.find(({ name }) => name === "sale list") ?? expect.fail("there is no such command");
    expect(commandHelp(list)).toContain("--status draft|open|settled|withdrawn ");
  });

  it.each(COMMANDS.map((command) => [command.name, command] as const))("of %s names all its options", (_, command) => {
    for (const name of [...Object.keys(command.options), "help"]) {
      expect(commandHelp(command)).toMatch(new RegExp(`^  --${name}\\b`, "m"));
    }
  });
});
