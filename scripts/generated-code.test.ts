import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { TemporaryFolder } from "../test/support/processes/temporary-folder.ts";
import { temporaryFolder } from "../test/support/processes/temporary-folder.ts";
import { differingFiles } from "./generated-code.ts";

let folder: TemporaryFolder;

beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

async function tree(name: string, files: Record<string, string>): Promise<string> {
  const root = join(folder.path, name);
  await mkdir(join(root, "inner"), { recursive: true });
  for (const [path, content] of Object.entries(files)) await writeFile(join(root, path), content);
  return root;
}

it("finds no difference between equal folders", async () => {
  const files = { "a.ts": "a", "inner/b.ts": "b" };
  expect(await differingFiles(await tree("first", files), await tree("second", files))).toEqual([]);
});

it("names changed files and files that only one folder has", async () => {
  const first = await tree("first", { "same.ts": "s", "inner/changed.ts": "1", "only-first.ts": "" });
  const second = await tree("second", { "same.ts": "s", "inner/changed.ts": "2", "only-second.ts": "" });
  expect(await differingFiles(first, second)).toEqual(["inner/changed.ts", "only-first.ts", "only-second.ts"]);
});
