import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { chartsName, imageName, parseReleaseFile, RELEASE_PATH, releaseFileRefusals } from "./release-file.ts";

const FILE = {
  home: "https://github.com/owner/tidemark",
  imageRegistry: "registry.example:5000",
  scope: "owner/sales",
  buildkit: "moby/buildkit:1",
  sbomGenerator: "docker/scanner:1",
};

it("deploy/release.yaml has the values that a release needs, empty or not", () => {
  expect(Object.keys(parseReleaseFile(readFileSync(RELEASE_PATH, "utf8")))).toEqual(Object.keys(FILE));
});

it("names image and charts", () => {
  expect(releaseFileRefusals(FILE)).toEqual([]);
  expect(imageName(FILE)).toBe("registry.example:5000/owner/sales/tidemark");
  expect(chartsName(FILE)).toBe("registry.example:5000/owner/sales/charts");
});

it.each(Object.keys(FILE))("refuses an empty %s", (name) => {
  expect(releaseFileRefusals({ ...FILE, [name]: "" })).toEqual([`deploy/release.yaml: ${name} is empty`]);
});

it.each([
  ["home", "http://github.com/owner/tidemark"],
  ["home", "https://github.com/owner/tidemark/"],
  ["home", "https://github.com"],
  ["imageRegistry", "https://ghcr.io"],
  ["imageRegistry", "localhost"],
  ["scope", "Owner"],
  ["scope", "/owner"],
])("refuses %s: %s", (name, value) => {
  expect(releaseFileRefusals({ ...FILE, [name]: value })).toEqual([
    expect.stringContaining(`${name}: ${value} doesn't match`),
  ]);
});

it.each([
  ["", "home is missing"],
  ["home: 1", "home is missing, or not a text"],
  ["homme: a", "homme is not known"],
])("doesn't read %j", (text, message) => {
  expect(() => parseReleaseFile(text)).toThrow(message);
});
