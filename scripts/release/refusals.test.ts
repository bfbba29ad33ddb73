import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../test/support/processes/temporary-folder.ts";
import { refusals, versionRefusals, versions } from "./refusals.ts";

const DIGEST = `sha256:${"a".repeat(64)}`;
const FILE = {
  home: "https://github.com/owner/tidemark",
  imageRegistry: "registry.example",
  scope: "owner",
  buildkit: `moby/buildkit:1@${DIGEST}`,
  sbomGenerator: `docker/scanner:1@${DIGEST}`,
};
const CLEAN = { tags: ["v0.2.0"], changed: "" };

const READY = {
  "package.json": '{ "version": "0.2.0" }',
  "package-lock.json": '{ "version": "0.2.0", "packages": { "": { "version": "0.2.0" } } }',
  "deploy/helm/tidemark/Chart.yaml": "version: 0.2.0\nappVersion: 0.2.0\n",
  "CHANGELOG.md": "# Changelog\n\n## 0.2.0 - 2026-12-01\n\n- More.\n",
  "deploy/Dockerfile": `FROM node:24@${DIGEST}\n`,
  "deploy/release.yaml": `buildkit: ${FILE.buildkit}\n`,
  ".github/workflows/release.yml": `      - uses: actions/checkout@${"b".repeat(40)} # v5\n`,
};

/** Lays out a repository with changed files. */
async function repository(changed: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  for (const [file, text] of Object.entries({ ...READY, ...changed })) {
    await mkdir(dirname(join(folder.path, file)), { recursive: true });
    await writeFile(join(folder.path, file), text);
  }
  return folder.path;
}

it("releases what is complete, pinned, dated, tagged and committed", async () => {
  expect(await refusals(FILE, "0.2.0", CLEAN, await repository())).toEqual([]);
});

it("refuses an empty value", async () => {
  expect(await refusals({ ...FILE, scope: "" }, "0.2.0", CLEAN, await repository())).toEqual([
    "deploy/release.yaml: scope is empty",
  ]);
});

it.each([
  ["deploy/Dockerfile", "FROM node:24\n", "deploy/Dockerfile: node:24 is not pinned: npm run release:pin"],
  [
    ".github/workflows/release.yml",
    "      - uses: actions/checkout@v5\n",
    ".github/workflows/release.yml: actions/checkout@v5 is not pinned: npm run release:pin",
  ],
  [
    "deploy/helm/tidemark/Chart.yaml",
    "version: 0.2.0\nappVersion: 0.1.0\n",
    "Chart.yaml's appVersion is 0.1.0, package.json 0.2.0",
  ],
  ["CHANGELOG.md", "# Changelog\n\n## 0.2.0 - unreleased\n\n- More.\n", "CHANGELOG.md: 0.2.0 has no date"],
])("refuses what %s lacks", async (file, text, refusal) => {
  expect(await refusals(FILE, "0.2.0", CLEAN, await repository({ [file]: text }))).toEqual([refusal]);
});

it("refuses another commit than that of the tag, and one that was changed", async () => {
  const root = await repository();
  expect(await refusals(FILE, "0.2.0", { tags: ["v0.1.0"], changed: " M package.json" }, root)).toEqual([
    "the commit has no tag v0.2.0",
    "files differ from the commit: git status",
  ]);
});

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
