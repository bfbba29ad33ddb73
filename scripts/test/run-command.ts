import { spawn } from "node:child_process";
import { once } from "node:events";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { guardProcessGroup, killProcessGroup } from "../../services/demo/chain/process-guard.ts";

/** The repository's root folder, where commands run. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Bytes of output that are kept: the latest. */
const KEPT_OUTPUT = 1_000_000;

/** A program to run to its end. */
export interface Command {
  /** Found in node_modules/.bin first, then on the PATH. */
  readonly command: string;
  readonly args: readonly string[];
  /** The folder where it runs; the repository's root by default. */
  readonly cwd?: string;
  /** Added to this process's environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Milliseconds after which the command and all that it started are killed. */
  readonly limitMs: number;
}

/** Outcome of a command. */
export interface CommandResult {
  /** Exit code 0, in time. */
  readonly ok: boolean;
  /** Stdout and stderr together, the latest megabyte, and a last line where the command was killed or couldn't be started. */
  readonly output: string;
}

/** Runs a command without input in a process group of its own; never rejects. */
export async function runCommand({ command, args, cwd = ROOT, env, limitMs }: Command): Promise<CommandResult> {
  const path = `${join(ROOT, "node_modules", ".bin")}${delimiter}${process.env["PATH"] ?? ""}`;
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, NO_COLOR: "1", ...env, PATH: path },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  guardProcessGroup(child);
  // Processes that the command left running would hold its output open.
  child.once("exit", () => killProcessGroup(child));
  const output = collectOutput(child.stdout, child.stderr);
  let killed = false;
  const limit = setTimeout(() => {
    killed = true;
    killProcessGroup(child);
  }, limitMs);
  try {
    const [code, signal] = await once(child, "close");
    return { ok: code === 0, output: `${output()}${describeKill(command, signal, killed ? limitMs : undefined)}` };
  } catch (error) {
    return { ok: false, output: `${command}: ${error}` };
  } finally {
    clearTimeout(limit);
  }
}

function describeKill(command: string, signal: string | null, limitMs: number | undefined): string {
  if (signal === null) return "";
  return `\n${command}: killed ${limitMs === undefined ? `by ${signal}` : `after ${(limitMs / 1000).toFixed(1)} s`}`;
}

function collectOutput(...streams: readonly NodeJS.ReadableStream[]): () => string {
  let latest = Buffer.alloc(0);
  const keep = (chunk: Buffer) => {
    latest = Buffer.concat([latest, chunk]).subarray(-KEPT_OUTPUT);
  };
  for (const stream of streams) stream.on("data", keep);
  return () => latest.toString("utf8");
}
