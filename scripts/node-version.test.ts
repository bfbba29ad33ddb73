import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "./test/run-command.ts";

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const major = (path: string, pattern: RegExp) => [...read(path).matchAll(pattern)].map(([, version]) => version);
const { optionalDependencies, devDependencies } = JSON.parse(read("package.json"));
const packages = Object.entries<string>(optionalDependencies).filter(([name]) => name.startsWith("node-"));

it("is the same on all platforms for which npm installs Node", () => {
  const platforms = packages.map(([name]) => name.replace(/^node-(bin-)?/, ""));
  expect(platforms.toSorted()).toEqual(["darwin-arm64", "darwin-x64", "linux-arm64", "linux-x64"]);
  expect(new Set(packages.map(([, version]) => version)).size).toBe(1);
});

it("has one major version in packages, types, bootstrap, image, workflows and documents", () => {
  const [installed] = packages[0]?.[1].split(".") ?? [];
  const named = [
    devDependencies["@types/node"].split(".")[0],
    ...major("scripts/bootstrap.mjs", /REQUIRED_NODE_MAJOR = (\d+)/g),
    ...major("deploy/Dockerfile", /(?:node:|nodejs)(\d+)-/g),
    ...major(".github/workflows/checks.yml", /container: node:(\d+)/g),
    ...major(".github/workflows/release.yml", /container: node:(\d+)/g),
    ...major("docs/deno.md", /Node (\d+)/g),
  ];
  expect(named).toHaveLength(8);
  expect(new Set(named)).toEqual(new Set([installed]));
});
