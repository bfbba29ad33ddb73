import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { findProgram } from "../../test/support/processes/program.ts";
import { ROOT, runCommand } from "./run-command.ts";
import { type FoundTool, toolCache } from "./tool-cache.ts";

/** A program that a Go module of this repository pins, with all that it uses. */
export interface GoProgram {
  readonly name: string;
  /** Folder of the module, from the repository's root. */
  readonly folder: string;
  /** Package of the program; that in the folder by default. */
  readonly package?: string;
  /** Flags for the linker, such as `-X package.variable=value`. */
  readonly linkerFlags?: readonly string[];
}

export const COMPOSE_LOADER: GoProgram = { name: "compose-loader", folder: "test/compose" };

const BUILD_LIMIT_MS = 30 * 60_000;

/** The program, built by Go unless it was built from the same files before. */
export async function goProgram(program: GoProgram): Promise<FoundTool> {
  const { name, folder } = program;
  const path = join(toolCache("go-programs"), `${name}-${digestOf(program)}`, name);
  if (existsSync(path)) return { path };
  if (findProgram("go") === undefined) return { missing: `${name}: Go is not installed, which would build it` };
  const { ok, output } = await build(program, path);
  return ok ? { path } : { missing: `${name}: Go could not build ${folder}: ${output}` };
}

/** A build that is broken off leaves nothing at the path. */
async function build({ folder, package: target = ".", linkerFlags = [] }: GoProgram, path: string) {
  const unfinished = `${path}.unfinished`;
  const linker = `-ldflags=${["-s", "-w", ...linkerFlags].join(" ")}`;
  const args = ["build", "-C", join(ROOT, folder), "-p", "2", linker, "-o", unfinished, target];
  const env = { CGO_ENABLED: "0", GOFLAGS: "-trimpath -buildvcs=false" };
  const result = await runCommand({ command: "go", args, env, limitMs: BUILD_LIMIT_MS });
  if (result.ok) await rename(unfinished, path);
  return result;
}

/** Digest of all that the program is built from, so that a change of a pin leads to another build. */
function digestOf({ folder, package: target = ".", linkerFlags = [] }: GoProgram): string {
  const hash = createHash("sha256").update([target, ...linkerFlags].join("\n"));
  const module = join(ROOT, folder);
  const files = readdirSync(module).filter((file) => /^go\.(mod|sum)$|\.go$/.test(file));
  for (const file of files.toSorted()) hash.update(file).update(readFileSync(join(module, file)));
  return hash.digest("hex").slice(0, 16);
}
