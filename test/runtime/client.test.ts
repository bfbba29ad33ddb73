import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { REPOSITORY_ROOT, readRepository } from "../support/repository/repository.ts";

it("the client keeps the rules of JSR, by the dry run of Deno, and has the version of its npm package", async () => {
  const cwd = join(REPOSITORY_ROOT, "client");
  // Rejects where a rule is broken.
  await promisify(execFile)("deno", ["publish", "--dry-run", "--allow-dirty"], { cwd });
  const versionOf = (file: string) => JSON.parse(readRepository(file)).version;
  expect(versionOf("client/jsr.json")).toBe(versionOf("client/package.json"));
});
