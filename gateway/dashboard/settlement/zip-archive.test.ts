import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findProgram } from "../../../test/support/processes/program.ts";
import { temporaryFolder } from "../../../test/support/processes/temporary-folder.ts";
import { zipArchive } from "./zip-archive.ts";

const FILES = [
  { path: "plan.json", bytes: Buffer.from('{"a":"ü"}') },
  { path: "safe/0001-call.json", bytes: Buffer.alloc(100_000, "0123456789") },
  { path: "empty", bytes: new Uint8Array() },
];
const PYTHON = findProgram("python3");
const READ = `
import json, sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
assert archive.testzip() is None
print(json.dumps([[each.filename, archive.read(each).decode()] for each in archive.infolist()]))
`;

describe("a ZIP archive", () => {
  it("is the same of the same files, and ends with as many as there are", () => {
    const archive = Buffer.from(zipArchive(FILES));
    expect(archive.equals(zipArchive(FILES))).toBe(true);
    expect(archive.readUInt16LE(archive.length - 12)).toBe(FILES.length);
  });

  it.skipIf(PYTHON === undefined)("is read by another program", async () => {
    const folder = await temporaryFolder();
    try {
      const file = join(folder.path, "a.zip");
      writeFileSync(file, zipArchive(FILES));
      const { stdout, stderr } = spawnSync(PYTHON ?? "", ["-c", READ, file], { encoding: "utf8" });
      expect(stderr).toBe("");
      expect(JSON.parse(stdout)).toEqual(FILES.map(({ path, bytes }) => [path, Buffer.from(bytes).toString()]));
    } finally {
      await folder.remove();
    }
  });
});
