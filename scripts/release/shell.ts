import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import process from "node:process";
import { text } from "node:stream/consumers";
import { ROOT } from "../test/run-command.ts";
import { type GoTool, keptGoTool } from "../test/tools.ts";

/** Options of `Shell.run`. */
export interface RunOptions {
  /** Text for the command's standard input, which isn't printed. */
  readonly input?: string;
  /** File that gets the command's output. */
  readonly outputFile?: string;
  /** Whether what it says on standard error belongs to its output. */
  readonly withErrors?: boolean;
}

/** Runs the commands of a release, or prints them only. */
export interface Shell {
  /** Whether commands are only printed. */
  readonly dryRun: boolean;
  /** Runs a command in the repository's root. @returns its output; empty in a dry run @throws Error if it fails */
  run(command: string, args: readonly string[], options?: RunOptions): Promise<string>;
  /** The path of a Go program, in its version here; only its name in a dry run. @throws Error if it can't be installed */
  tool(tool: GoTool): Promise<string>;
}

/** Prints each command, and runs it. */
export const realShell: Shell = {
  dryRun: false,
  run: async (command, args, { input, outputFile, withErrors = false } = {}) => {
    console.log(commandLine(command, args, outputFile));
    const child = spawn(command, args, { cwd: ROOT });
    child.stderr.pipe(process.stderr, { end: false });
    child.stdin.end(input);
    const [printed, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
    const output = withErrors ? `${printed}${errors}` : printed;
    if (code !== 0) throw new Error(`${command} ${args[0]} ended with ${code}`);
    if (outputFile === undefined) process.stdout.write(printed);
    else await writeFile(outputFile, output);
    return output;
  },
  tool: async (tool) => {
    const installed = await keptGoTool(tool);
    if ("missing" in installed) throw new Error(installed.missing);
    return installed.path;
  },
};

/** A shell that only prints. */
export function dryShell(print: (line: string) => void): Shell {
  return {
    dryRun: true,
    run: async (command, args, { outputFile } = {}) => {
      print(commandLine(command, args, outputFile));
      return "";
    },
    tool: async ({ name }) => name,
  };
}

function commandLine(command: string, args: readonly string[], outputFile?: string): string {
  const words = [command, ...args].map((word) =>
    /^[\w./:@=,+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`,
  );
  return ["$", ...words, ...(outputFile === undefined ? [] : [">", outputFile])].join(" ");
}
