import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findProgram } from "../../test/support/program.ts";
import { ROOT, runCommand } from "./run-command.ts";
import { type FoundTool, toolCache } from "./tool-cache.ts";

/** A program of this repository in a Go module of its own, which pins what it uses. */
export interface GoProgram {
  readonly name: string;
  /** Folder of the module, from the repository's root. */
  readonly folder: string;
}

export const COMPOSE_LOADER: GoProgram = { name: "compose-loader", folder: "test/compose" };

const BUILD_LIMIT_MS = 12 * 60_000;

/** The program, built by Go unless it was built from the same files before. */
export async function goProgram({ name, folder }: GoProgram): Promise<FoundTool> {
  const module = join(ROOT, folder);
  const path = join(toolCache("go-programs"), `${name}-${digestOf(module)}`, name);
  if (existsSync(path)) return { path };
  if (findProgram("go") === undefined) return { missing: `Go is not installed, which would build ${folder}` };
  const args = ["build", "-C", module, "-o", path, "."];
  const env = { CGO_ENABLED: "0", GOFLAGS: "-trimpath" };
  const { ok, output } = await runCommand({ command: "go", args, env, limitMs: BUILD_LIMIT_MS });
  return ok ? { path } : { missing: `Go could not build ${folder}: ${output}` };
}

/** Digest of the module's own files, by which a change of the program or of its pins leads to another build. */
function digestOf(module: string): string {
  const hash = createHash("sha256");
  const files = readdirSync(module).filter((file) => /^go\.(mod|sum)$|\.go$/.test(file));
  for (const file of files.toSorted()) hash.update(file).update(readFileSync(join(module, file)));
  return hash.digest("hex").slice(0, 16);
}
