import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { CommandFailure, NoAnswer } from "../base/cli-error.ts";

/** Runs kubectl, and returns what it prints. @throws CommandFailure with what it says */
export type Kubectl = (args: readonly string[], input?: string) => Promise<string>;

/**
 * Returns a function that runs kubectl as the person who runs the command: with their configuration and their rights.
 *
 * @param options those of each call, such as the namespace
 * @param signal ends calls; undefined for calls that an interruption lets end
 */
export function openKubectl(options: readonly string[], signal: AbortSignal | undefined, program = "kubectl"): Kubectl {
  return async (args, input = "") => {
    const child = spawn(program, [...options, ...args], { stdio: ["pipe", "pipe", "pipe"], ...(signal && { signal }) });
    const ended = new Promise<number | null>((resolve, reject) => {
      child.once("error", reject).once("close", resolve);
    });
    // It may end without having read its input, and then says why.
    child.stdin.on("error", () => {}).end(input);
    const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]).catch(
      (error: unknown) => {
        signal?.throwIfAborted();
        throw new NoAnswer(`${program} can't be run: ${error instanceof Error ? error.message : "an unknown error"}`);
      },
    );
    if (code === 0) return output;
    throw new CommandFailure(errors.trim() || `kubectl ended with code ${code}`);
  };
}
