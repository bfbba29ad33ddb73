import { ConfigError, Env } from "../../common/platform/config/env.ts";
import { VERSION } from "../../common/platform/config/version.ts";
import type { CliOutput } from "./base/cli-context.ts";
import { CommandFailure, Interrupted, NoAnswer, UsageError } from "./base/cli-error.ts";
import type { Command } from "./base/command.ts";
import { createClients } from "./clients.ts";
import { COMMANDS } from "./commands.ts";
import { completionScript } from "./completion.ts";
import { cliConfig } from "./config.ts";
import { commandHelp, groupHelp, PROGRAM, programHelp } from "./help.ts";
import { failureText } from "./output/failure-text.ts";
import { inFlagWords } from "./output/flag-words.ts";
import { paintFor } from "./output/paint.ts";
import { write } from "./output/write.ts";
import { type CommandLine, commandOf, parseCommandLine } from "./parse-command-line.ts";

/** Exit codes: 2 as `grep` and `diff` have it, `EX_USAGE` and `EX_CONFIG` of sysexits.h, and 130 as shells report a SIGINT. */
const EXIT = { done: 0, failed: 1, noAnswer: 2, usage: 64, config: 78, interrupted: 130 } as const;

export interface CliProcess {
  /** The arguments, without the program's own name. */
  readonly args: readonly string[];
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly output: CliOutput;
  readonly errors: CliOutput;
  /** Aborted by Ctrl+C or SIGTERM. */
  readonly signal: AbortSignal;
}

/** The clients of the services. */
export type CliClients = ReturnType<typeof createClients>;

/**
 * Runs one command line, and writes failures to `errors`.
 *
 * @param connect creates the clients, by default from the settings
 * @returns the exit code
 */
export async function runCli(process: CliProcess, connect: () => CliClients = clientsOf(process)): Promise<number> {
  try {
    await perform(parseCommandLine(COMMANDS, process.args), process, connect);
    return EXIT.done;
  } catch (error) {
    const { code, text } = failureOf(error, process);
    await write(process.errors, `${paintFor(process.errors)("red", text)}\n`);
    return code;
  }
}

function clientsOf({ variables }: CliProcess): () => CliClients {
  return () => createClients(cliConfig(new Env(variables)));
}

async function perform(
  line: CommandLine,
  { output, errors, signal }: CliProcess,
  connect: () => CliClients,
): Promise<void> {
  if (line.kind === "help") return write(output, helpText(line));
  if (line.kind === "version") return write(output, `${VERSION}\n`);
  if (line.kind === "completion") return write(output, completionScript(line.shell, COMMANDS));
  const { command, input } = line;
  const withoutServices = command.runWithoutServices?.(input, { output, errors, signal });
  if (withoutServices !== undefined) return withoutServices;
  const clients = connect();
  await command.run(input, { ...clients, output, errors, signal }).catch((error: unknown) => {
    throw inFlagWords(error, command, input);
  });
}

/** Returns the command that explains a wrong command line: the help of its command, or the list of commands. */
function helpCommand(args: readonly string[]): string {
  const command = commandOf(COMMANDS, args);
  return command === undefined ? `${PROGRAM} --help` : `${PROGRAM} ${command.name} --help`;
}

function helpText({ command, group }: { readonly command?: Command; readonly group?: string }): string {
  if (command !== undefined) return commandHelp(command);
  return group === undefined ? programHelp(COMMANDS) : groupHelp(COMMANDS, group);
}

function failureOf(error: unknown, { args, signal }: CliProcess): { readonly code: number; readonly text: string } {
  if (error instanceof UsageError) return { code: EXIT.usage, text: `${error.message}; see ${helpCommand(args)}` };
  if (error instanceof ConfigError) return { code: EXIT.config, text: error.message };
  if (error instanceof Interrupted) return { code: EXIT.interrupted, text: error.message };
  if (signal.aborted) return { code: EXIT.interrupted, text: "interrupted" };
  if (error instanceof NoAnswer) return { code: EXIT.noAnswer, text: error.message };
  if (error instanceof CommandFailure) return { code: EXIT.failed, text: error.message };
  return { code: EXIT.failed, text: failureText(error) };
}
