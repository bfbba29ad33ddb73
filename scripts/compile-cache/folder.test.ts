import { chmodSync, lstatSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type TemporaryFolder, temporaryFolder } from "../../test/support/processes/temporary-folder.ts";
import { compileCacheFolder } from "./folder.mjs";

describe("the folder of the compile cache", () => {
  let folder: TemporaryFolder;
  let cache: string;
  beforeEach(async () => {
    folder = await temporaryFolder();
    cache = join(folder.path, ".cache", "compiled");
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await folder.remove();
  });

  const names = (path: string) => lstatSync(path, { throwIfNoEntry: false });

  it("is made for its owner only, and kept", () => {
    expect(compileCacheFolder(cache)).toBe(cache);
    expect((lstatSync(cache).mode & 0o777).toString(8)).toBe("700");
    writeFileSync(join(cache, "compiled"), "");
    expect(compileCacheFolder(cache)).toBe(cache);
    expect(names(join(cache, "compiled"))).toBeDefined();
  });

  it("is made anew where others could write to it", () => {
    mkdirSync(cache, { recursive: true });
    chmodSync(cache, 0o770);
    writeFileSync(join(cache, "planted"), "");
    expect(compileCacheFolder(cache)).toBe(cache);
    expect(names(join(cache, "planted"))).toBeUndefined();
    expect((lstatSync(cache).mode & 0o777).toString(8)).toBe("700");
  });

  it("is not used where it is another user's, a link, or can't be made", () => {
    mkdirSync(cache, { recursive: true, mode: 0o700 });
    const own = process.getuid?.() ?? 0;
    vi.spyOn(process, "getuid").mockReturnValue(own + 1);
    expect(compileCacheFolder(cache)).toBeUndefined();
    vi.restoreAllMocks();
    symlinkSync(cache, join(folder.path, "link"));
    expect(compileCacheFolder(join(folder.path, "link"))).toBeUndefined();
    writeFileSync(join(folder.path, "file"), "");
    expect(compileCacheFolder(join(folder.path, "file", "compiled"))).toBeUndefined();
  });
});
