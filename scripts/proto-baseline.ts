import { join } from "node:path";
import { type CommandResult, ROOT, runCommand } from "./test/run-command.ts";

/**
 * An image of the protos with which changes must stay compatible: until the first release the last agreed state of `main`, then
 * that of the last release.
 */
export const PROTO_BASELINE = join(ROOT, "proto", "baseline.binpb");

const LIMIT_MS = 60_000;

/** Compares an image of protos with the baseline by the rules of buf.yaml. The result isn't ok if a change breaks callers. */
export function compareWithBaseline(image: string): Promise<CommandResult> {
  const args = ["breaking", image, "--against", PROTO_BASELINE, "--exclude-imports", "--config", "buf.yaml"];
  return runCommand({ command: "buf", args, limitMs: LIMIT_MS });
}

/** Builds an image of the protos in a folder with a buf.yaml. */
export function buildProtoImage(folder: string, file: string): Promise<CommandResult> {
  const args = ["build", folder, "--output", file, "--exclude-source-info"];
  return runCommand({ command: "buf", args, limitMs: LIMIT_MS });
}

if (import.meta.main) {
  const { ok, output } = await buildProtoImage(ROOT, PROTO_BASELINE);
  process.stdout.write(output);
  process.exitCode = ok ? 0 : 1;
}
