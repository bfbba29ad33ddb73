import type { CliContext } from "./context.ts";

/** An option as `--help` shows it and `parseArgs` of node:util reads it. */
export interface CommandOption {
  readonly type: "string" | "boolean";
  readonly multiple?: boolean;
  /** What stands for the value in `--help`. */
  readonly value?: string;
  readonly help: string;
}

export type CommandOptions = Readonly<Record<string, CommandOption>>;

/** What was written behind a command's name; checked against its options and positionals. */
export interface CommandInput {
  /** In the order of `Command.positionals`, and as many. */
  readonly positionals: readonly string[];
  text(option: string): string | undefined;
  texts(option: string): readonly string[];
  flag(option: string): boolean;
}

export interface Command {
  /** One or two words, such as `sale create`. */
  readonly name: string;
  readonly positionals: readonly string[];
  /** One line for the list of commands. */
  readonly summary: string;
  /** What else `--help` says. */
  readonly details?: string;
  readonly options: CommandOptions;
  /** @throws UsageError, CommandFailure, or what a call throws. */
  run(input: CommandInput, context: CliContext): Promise<void>;
}
