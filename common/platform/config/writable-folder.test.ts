import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { requireWritableFolder } from "./writable-folder.ts";

const folder = mkdtempSync(join(tmpdir(), "tidemark-folder-"));
afterAll(() => rmSync(folder, { recursive: true }));

it("accepts a folder that exists, and one that can be created, without creating it", () => {
  requireWritableFolder("DATA_DIR", folder);
  requireWritableFolder("DATA_DIR", join(folder, "a", "b"));
  expect(existsSync(join(folder, "a"))).toBe(false);
});

it("refuses a file, and a path below one", () => {
  const file = join(folder, "file");
  writeFileSync(file, "");
  for (const path of [file, join(file, "data")]) {
    expect(() => requireWritableFolder("DATA_DIR", path)).toThrow(
      `DATA_DIR: expected a folder that can be written to, ${JSON.stringify(path)} gives ENOTDIR`,
    );
  }
});
