import { matchesGlob } from "node:path";
import { expect, it } from "vitest";
import { readRepository } from "../test/support/repository/repository.ts";
import { IMAGE_SOURCES } from "./image-files.ts";

const NEEDED = [...IMAGE_SOURCES, "package-lock.json", "scripts"];

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
