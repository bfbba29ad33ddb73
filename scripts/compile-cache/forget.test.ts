import { execFile } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type TemporaryFolder, temporaryFolder } from "../../test/support/processes/temporary-folder.ts";
import { ROOT } from "../test/run-command.ts";

const MODULES = 5;
/** Prints how many files the cache has: the first that runs of a program, when all of its modules have been read. */
const COUNT = `
import { readdirSync } from "node:fs";
import { getCompileCacheDir } from "node:module";
console.log(readdirSync(getCompileCacheDir()).length);
`;

describe("what Node read of its compile cache", () => {
  let folder: TemporaryFolder;
  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => folder.remove());

  // Node lets go of what it has read when it writes what is new, so that a new module's file shows that it did.
  it("is let go of at each import, and by the process that fills an empty cache at its end", async () => {
    expect(await filesMeanwhile("first")).toBe(0);
    const filled = readdirSync(join(folder.path, "cache"), { recursive: true, withFileTypes: true });
    const before = filled.filter((entry) => entry.isFile()).length;
    expect(before).toBeGreaterThanOrEqual(MODULES);
    expect(await filesMeanwhile("second")).toBe(before + MODULES);
  });

  /** Runs a program of new modules, and returns how many files the cache has before the first of them has run. */
  async function filesMeanwhile(name: string): Promise<number> {
    const path = (index: number) => join(folder.path, `${name}-${index}.mjs`);
    for (let index = 0; index < MODULES; index += 1)
      writeFileSync(path(index), index === 0 ? COUNT : `import ${JSON.stringify(path(index - 1))};`);
    const imports = ["exact-paths.mjs", "compile-cache/forget.mjs"].flatMap((file) => [
      "--import",
      `./scripts/${file}`,
    ]);
    const env = { ...process.env, NODE_COMPILE_CACHE: join(folder.path, "cache") };
    const { stdout } = await promisify(execFile)("node", [...imports, path(MODULES - 1)], { cwd: ROOT, env });
    return Number(stdout);
  }
});
