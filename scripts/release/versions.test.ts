import { expect, it } from "vitest";
import { versionRefusals, versions } from "./versions.ts";

it("package, chart and changelog have the same version", async () => {
  const named = await versions();
  expect(Object.keys(named)).toHaveLength(6);
  expect(versionRefusals(named)).toEqual([]);
});

it("finds the file that was forgotten", () => {
  const named = {
    "package.json": "0.2.0",
    "Chart.yaml's version": "0.1.0",
    "CHANGELOG.md's newest section": undefined,
  };
  expect(versionRefusals(named)).toEqual([
    "Chart.yaml's version is 0.1.0, package.json 0.2.0",
    "CHANGELOG.md's newest section is undefined, package.json 0.2.0",
  ]);
});
