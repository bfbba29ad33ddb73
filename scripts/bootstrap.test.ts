import { execFile } from "node:child_process";
import { chmod, copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { TemporaryFolder } from "../test/support/processes/temporary-folder.ts";
import { temporaryFolder } from "../test/support/processes/temporary-folder.ts";

const BOOTSTRAP = new URL("bootstrap.mjs", import.meta.url);
const LOCKED = {
  "": { version: "1.0.0" },
  "node_modules/kept": { version: "1.2.3", integrity: "sha512-kept" },
  "node_modules/without-checksum": { version: "1.0.0", optional: true },
  "node_modules/other-platform": { version: "1.0.0", optional: true },
};
const INSTALLED = {
  "node_modules/kept": LOCKED["node_modules/kept"],
  "node_modules/without-checksum": { version: "1.0.0", integrity: "sha512-installed" },
};

/** No install script runs but those that are needed, whatever npm does by default. */
const NPM_COMMANDS =
  "ci --loglevel=error --ignore-scripts --no-audit --no-fund\nrebuild --loglevel=error --ignore-scripts\nrebuild --loglevel=error deno\n";

/** A fake npm that records its arguments and exits as the test demands. */
const FAKE_NPM = `
import { appendFileSync } from "node:fs";
appendFileSync("npm-arguments", process.argv.slice(2).join(" ") + "\\n");
process.exit(Number(process.env.FAKE_NPM_EXIT ?? 0));
`;

describe("bootstrap", () => {
  let folder: TemporaryFolder;

  beforeEach(async () => {
    folder = await temporaryFolder();
    await mkdir(join(folder.path, "scripts"));
    await mkdir(join(folder.path, "node_modules", ".bin"), { recursive: true });
    await writeFile(join(folder.path, "package.json"), '{ "type": "module" }');
    await copyFile(BOOTSTRAP, join(folder.path, "scripts", "bootstrap.mjs"));
    await writeFile(join(folder.path, "npm-cli.js"), FAKE_NPM);
    await writeLocks(LOCKED, INSTALLED);
  });
  afterEach(() => folder.remove());

  async function writeLocks(locked: object, installed: object): Promise<void> {
    await writeFile(join(folder.path, "package-lock.json"), JSON.stringify({ packages: locked }));
    await writeFile(join(folder.path, "node_modules", ".package-lock.json"), JSON.stringify({ packages: installed }));
  }

  function run(env: Record<string, string> = {}): Promise<{ code: number; output: string; npmArguments: string }> {
    const path = `${dirname(process.execPath)}${delimiter}${process.env["PATH"]}`;
    const options = { env: { PATH: path, npm_execpath: join(folder.path, "npm-cli.js"), ...env } };
    return new Promise((resolve) => {
      execFile("node", [join(folder.path, "scripts", "bootstrap.mjs")], options, async (error, stdout, stderr) => {
        const npmArguments = await readFile(join(folder.path, "npm-arguments"), "utf8").catch(() => "");
        resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr, npmArguments });
      });
    });
  }

  it("does nothing and prints nothing when all packages are installed, even if those of other platforms are absent", async () => {
    expect(await run()).toEqual({ code: 0, output: "", npmArguments: "" });
  });

  it.each([
    ["a changed version", { ...INSTALLED, "node_modules/kept": { version: "1.2.2", integrity: "sha512-kept" } }],
    ["a changed integrity", { ...INSTALLED, "node_modules/kept": { version: "1.2.3", integrity: "sha512-else" } }],
    ["a missing package", {}],
    ["a package that the lock file doesn't have", { ...INSTALLED, "node_modules/gone": { version: "1.0.0" } }],
  ])("runs npm ci on %s and says so", async (_, installed) => {
    await writeLocks(LOCKED, installed);
    const result = await run();
    expect(result).toMatchObject({ code: 0, npmArguments: NPM_COMMANDS });
    expect(result.output).toMatch(/running npm ci[\s\S]*packages installed in \d+\.\d s/);
  });

  it("fails with a clear line when npm ci fails", async () => {
    await writeLocks(LOCKED, {});
    const result = await run({ FAKE_NPM_EXIT: "3" });
    expect(result).toMatchObject({ code: 1, output: expect.stringContaining("npm ci failed (exit code 3)") });
  });

  it("fails with a clear line without a lock file", async () => {
    await writeFile(join(folder.path, "package-lock.json"), "");
    expect(await run()).toMatchObject({ code: 1, output: expect.stringContaining("package-lock.json is missing") });
  });

  it("refuses a Node that is too old, naming the version that npm scripts would find", async () => {
    const node = join(folder.path, "node_modules", ".bin", "node");
    await writeFile(node, "#!/bin/sh\necho v23.9.0\n");
    await chmod(node, 0o755);
    const result = await run();
    expect(result).toMatchObject({ code: 1, output: expect.stringContaining("Node 26 or newer is needed") });
    expect(result.output).toContain("v23.9.0");
  });
});
