import { join } from "node:path";
import { type CommandResult, ROOT, runCommand } from "./test/run-command.ts";

/**
 * An image of the protos that others may already build on. Until the first release it is the last agreed state of `main`; from
 * then on it is the last release's.
 */
export const PROTO_BASELINE = join(ROOT, "proto", "baseline.binpb");

const LIMIT_MS = 60_000;

/** The rules of buf.yaml, which buf does not apply to an image. */
const RULES = JSON.stringify({ version: "v2", breaking: { use: ["FILE"] } });

/** Compares an image of protos with the baseline; not ok where a change breaks callers. */
export function compareWithBaseline(image: string): Promise<CommandResult> {
  const args = ["breaking", image, "--against", PROTO_BASELINE, "--exclude-imports", "--config", RULES];
  return runCommand({ command: "buf", args, limitMs: LIMIT_MS });
}

/** Builds one image of the protos of a folder that has a buf.yaml. */
export function buildProtoImage(folder: string, file: string): Promise<CommandResult> {
  const args = ["build", folder, "--output", file, "--exclude-source-info"];
  return runCommand({ command: "buf", args, limitMs: LIMIT_MS });
}

if (import.meta.main) {
  const { ok, output } = await buildProtoImage(ROOT, PROTO_BASELINE);
  process.stdout.write(output);
  process.exitCode = ok ? 0 : 1;
}
