import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../test/support/processes/temporary-folder.ts";
import { readRepository } from "../../test/support/repository/repository.ts";
import { pinFiles, pinnedFiles, pinRefusals } from "./pinned-files.ts";
import { findReferences } from "./references.ts";

const FILES = {
  "deploy/Dockerfile": "FROM node:24\n",
  "deploy/release.yaml": "buildkit: moby/buildkit:1\n",
  ".github/workflows/checks.yml": "      - uses: actions/checkout@v5\n",
};
const DIGEST = `sha256:${"a".repeat(64)}`;

async function repository(): Promise<string> {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  for (const [file, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(folder.path, file)), { recursive: true });
    await writeFile(join(folder.path, file), text);
  }
  return folder.path;
}

it("refuses what isn't pinned, until release:pin has pinned it", async () => {
  const root = await repository();
  expect(await pinRefusals(root)).toEqual([
    "deploy/Dockerfile: node:24 is not pinned: npm run release:pin",
    "deploy/release.yaml: moby/buildkit:1 is not pinned: npm run release:pin",
    ".github/workflows/checks.yml: actions/checkout@v5 is not pinned: npm run release:pin",
  ]);
  const resolve = async ({ kind }: { readonly kind: string }) => (kind === "image" ? DIGEST : "b".repeat(40));
  expect(await pinFiles(resolve, root)).toEqual(Object.keys(FILES));
  expect(await pinRefusals(root)).toEqual([]);
  expect(await pinFiles(resolve, root)).toEqual([]);
});

it("pins nothing if one can't be resolved", async () => {
  const root = await repository();
  const resolve = async ({ kind }: { readonly kind: string }) => {
    if (kind === "action") throw new Error("no network");
    return DIGEST;
  };
  await expect(pinFiles(resolve, root)).rejects.toThrow("no network");
  for (const [file, text] of Object.entries(FILES)) expect(await readFile(join(root, file), "utf8")).toBe(text);
});

it.each(pinnedFiles())("every image and action of %s is found", (file) => {
  const named =
    readRepository(file).match(/^FROM (?!files)|\buses:|^ *(?:image|container|buildkit|sbomGenerator): (?!\$)/gm) ?? [];
  expect(named.length).toBeGreaterThan(0);
  expect(findReferences(readRepository(file))).toHaveLength(named.length);
});
