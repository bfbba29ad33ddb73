import type { CliContext, CliStreams } from "./cli-context.ts";

/** An option for `parseArgs` of node:util, with its help. */
export interface CommandOption {
  readonly type: "string" | "boolean";
  readonly multiple?: boolean;
  /** Placeholder of the value in `--help`. */
  readonly value?: string;
  readonly help: string;
}

export type CommandOptions = Readonly<Record<string, CommandOption>>;

/** The arguments after a command's name, checked against its options and positionals. */
export interface CommandInput {
  /** The values of `Command.positionals`, in the same order and number. */
  readonly positionals: readonly string[];
  text(option: string): string | undefined;
  texts(option: string): readonly string[];
  flag(option: string): boolean;
}

/** The options that a field of a request comes from, by its path without indexes and parts; the usual one first. */
export type FlagsOfFields = Readonly<Record<string, readonly string[]>>;

export interface Command {
  /** One or two words, such as `sale create`. */
  readonly name: string;
  readonly positionals: readonly string[];
  /** One line for the list of commands. */
  readonly summary: string;
  /** Further text for `--help`. */
  readonly details?: string;
  readonly options: CommandOptions;
  /** For errors, which name options instead of fields. Positionals need none: `UUID` is found in `sale_uuid`. */
  readonly flags?: FlagsOfFields;
  /**
   * Runs a command line that calls no service, and so needs no key; undefined for one that does. Absent for a command that always
   * calls services. Errors are those of `run`.
   */
  runWithoutServices?(input: CommandInput, streams: CliStreams): Promise<void> | undefined;
  /** @throws UsageError, CommandFailure, NoAnswer, or what a call throws. */
  run(input: CommandInput, context: CliContext): Promise<void>;
}
