import { parseArgs } from "node:util";
import { UsageError } from "./base/cli-error.ts";
import type { Command, CommandInput } from "./base/command.ts";
import { SHELLS, type Shell } from "./completion.ts";

/** A parsed command line. */
export type CommandLine =
  | { readonly kind: "help"; readonly command?: Command; readonly group?: string }
  | { readonly kind: "version" }
  | { readonly kind: "completion"; readonly shell: Shell }
  | { readonly kind: "run"; readonly command: Command; readonly input: CommandInput };

const HELP_FLAGS = new Set(["--help", "-h", "help"]);
const LONGEST_NAME = 2;

/** @throws UsageError for an unknown command or option, and for too few or too many positionals. */
export function parseCommandLine(commands: readonly Command[], args: readonly string[]): CommandLine {
  const [first = "", second] = args;
  if (args.length === 0 || HELP_FLAGS.has(first)) return { kind: "help" };
  if (first === "--version") return { kind: "version" };
  if (first === "completion" && !HELP_FLAGS.has(second ?? "")) return { kind: "completion", shell: shellOf(args) };
  if (isGroup(commands, first) && (second === undefined || HELP_FLAGS.has(second)))
    return { kind: "help", group: first };
  const command = findCommand(commands, args);
  const rest = args.slice(command.name.split(" ").length);
  const { values, positionals } = parseOptions(command, rest);
  if (values["help"] === true) return { kind: "help", command };
  checkPositionals(command, positionals);
  return { kind: "run", command, input: inputOf(values, positionals) };
}

function shellOf([, name, ...others]: readonly string[]): Shell {
  const shell = SHELLS.find((known) => known === name);
  if (shell === undefined || others.length > 0) throw new UsageError(`completion expects one of ${SHELLS.join(", ")}`);
  return shell;
}

function isGroup(commands: readonly Command[], word: string): boolean {
  return commands.some(({ name }) => name.startsWith(`${word} `));
}

/** Returns the command that a command line begins with; undefined if there is none. */
export function commandOf(commands: readonly Command[], args: readonly string[]): Command | undefined {
  const names = Array.from({ length: LONGEST_NAME }, (_, index) => args.slice(0, index + 1).join(" "));
  return commands.find(({ name }) => names.includes(name));
}

function findCommand(commands: readonly Command[], args: readonly string[]): Command {
  const command = commandOf(commands, args);
  if (command !== undefined) return command;
  const asked = args.slice(0, LONGEST_NAME).filter((argument) => !argument.startsWith("-"));
  throw new UsageError(`there is no command ${JSON.stringify(asked.join(" "))}`);
}

type Values = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;

function parseOptions(command: Command, args: readonly string[]): { values: Values; positionals: string[] } {
  const own = Object.entries(command.options).map(([name, { type, multiple = false }]) => [name, { type, multiple }]);
  const options = { ...Object.fromEntries(own), help: { type: "boolean", short: "h" } } as const;
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    // The first sentence names the option; the others explain how to write a positional that begins with a dash.
    throw new UsageError(error instanceof Error ? (error.message.split(". ")[0] ?? "") : String(error));
  }
}

function checkPositionals({ positionals: expected }: Command, given: readonly string[]): void {
  const missing = expected[given.length];
  if (missing !== undefined) throw new UsageError(`${missing} is missing`);
  const surplus = given[expected.length];
  if (surplus !== undefined) throw new UsageError(`${JSON.stringify(surplus)} is one argument too many`);
}

function inputOf(values: Values, positionals: readonly string[]): CommandInput {
  const texts = (option: string) => [values[option]].flat().filter((value) => typeof value === "string");
  return {
    positionals,
    texts,
    text: (option) => texts(option)[0],
    flag: (option) => values[option] === true,
  };
}
