import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { differingFiles, generateCode } from "../generated-code.ts";
import { buildProtoImage, compareWithBaseline } from "../proto-baseline.ts";
import type { Part, PartContext, PartResult } from "./part.ts";
import { checkResult } from "./part.ts";
import { ROOT, runCommand } from "./run-command.ts";

const LIMIT_MS = 60_000;

/** Checks of the protos and of the code generated from them. */
export const protoParts: readonly Part[] = [
  { name: "proto-lint", run: "short", budgetSeconds: 2, limitMs: LIMIT_MS, check: (context) => buf(["lint"], context) },
  { name: "proto-breaking", run: "short", budgetSeconds: 2, limitMs: LIMIT_MS, check: checkBreaking },
  { name: "generated-code", run: "short", budgetSeconds: 3, limitMs: LIMIT_MS, check: checkGenerated },
];

async function buf(args: readonly string[], { limitMs }: PartContext): Promise<PartResult> {
  const result = await runCommand({ command: "buf", args, limitMs });
  return checkResult(result.ok, result.output);
}

async function checkBreaking({ folder }: PartContext): Promise<PartResult> {
  const image = join(folder, "protos.binpb");
  const built = await buildProtoImage(ROOT, image);
  const result = built.ok ? await compareWithBaseline(image) : built;
  return checkResult(result.ok, result.output);
}

async function checkGenerated({ folder }: PartContext): Promise<PartResult> {
  const output = join(folder, "generated");
  await mkdir(output);
  const error = await generateCode(output);
  if (error !== undefined) return checkResult(false, error);
  const stale = await differingFiles(join(output, "proto", "gen"), join(ROOT, "proto", "gen"));
  return checkResult(stale.length === 0, `Not what the protos say; run \`npm run generate\`:\n  ${stale.join("\n  ")}`);
}
