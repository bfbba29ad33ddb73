import { statSync } from "node:fs";
import { join, matchesGlob } from "node:path";
import { expect, it } from "vitest";
import { DRAWING_FILES } from "../gateway/sale-page/share-image/drawing-files.ts";
import { REPOSITORY_ROOT, readRepository } from "../test/support/repository/repository.ts";
import { IMAGE_SOURCES } from "./image-files.ts";

/** All of `scripts` lays the image out. */
const NEEDED = [...IMAGE_SOURCES.filter((path) => !path.startsWith("scripts/")), "package-lock.json", "scripts"];

it("Docker gets all sources of the image, and nothing else", () => {
  const [all, ...allowed] = readRepository("deploy/Dockerfile.dockerignore")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  expect(all).toBe("*");
  const patterns = allowed.map((line) => line.replace(/^!/, ""));
  expect(allowed).toEqual(patterns.map((pattern) => `!${pattern}`));
  expect(NEEDED.filter((path) => !patterns.some((pattern) => matchesGlob(path, pattern)))).toEqual([]);
  expect(patterns.filter((pattern) => !NEEDED.some((path) => matchesGlob(path, pattern)))).toEqual([]);
});

it("has the files that draw images of sales, which are at most 10 MB", () => {
  const sizes = DRAWING_FILES.map((file) => statSync(join(REPOSITORY_ROOT, "node_modules", file)).size);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(10_000_000);
});
