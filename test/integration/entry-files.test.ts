import { execFile } from "node:child_process";
import { globSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { VERSION } from "../../common/platform/config/version.ts";
import { inheritedEnvironment } from "../support/processes/child-process.ts";
import { POLL_TIMEOUT_MS } from "../support/repository/polling.ts";
import { REPOSITORY_ROOT } from "../support/repository/repository.ts";

const FILES = globSync(["gateway/main.ts", "services/*/main.ts", "services/embedded.ts"], { cwd: REPOSITORY_ROOT });
const EX_USAGE = 64;

/** Runs an entry file without any setting, to its end. */
function run(file: string, argument: string) {
  const args = process.versions["deno"] === undefined ? [file] : ["run", "--allow-all", file];
  const options = { cwd: REPOSITORY_ROOT, env: inheritedEnvironment(), timeout: POLL_TIMEOUT_MS };
  return new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, [...args, argument], options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : error.code, stdout, stderr });
    });
  });
}

it("finds the entry files", () => {
  expect(FILES).toHaveLength(7);
});

describe.each(FILES)("%s", (file) => {
  it("prints its arguments for --help", async () => {
    const { code, stdout } = await run(file, "--help");
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^Usage: .+--version/s) });
  });

  it("prints its version for --version", async () => {
    const { code, stdout } = await run(file, "--version");
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${VERSION}\n` });
  });

  it("refuses an unknown argument with one line, before it reads any setting", async () => {
    const { code, stdout, stderr } = await run(file, "--migrat");
    expect({ code, stdout }).toEqual({ code: EX_USAGE, stdout: "" });
    expect(stderr).toMatch(/^.*--help.*\n$/);
  });
});
