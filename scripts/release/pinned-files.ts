import { globSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "../test/run-command.ts";
import { findReferences, nameOf, pinReferences, type Reference } from "./references.ts";
import { RELEASE_FILE } from "./release-file.ts";

/** The files whose images and actions a release runs or builds on. */
export function pinnedFiles(root = ROOT): string[] {
  return ["deploy/Dockerfile", RELEASE_FILE, ...globSync(".github/workflows/*.yml", { cwd: root }).toSorted()];
}

/** One line for each image and action that isn't pinned. */
export async function pinRefusals(root = ROOT): Promise<string[]> {
  const refusals = pinnedFiles(root).map(async (file) =>
    findReferences(await readFile(join(root, file), "utf8"))
      .filter(({ pin }) => pin === undefined)
      .map((reference) => `${file}: ${nameOf(reference)} is not pinned: npm run release:pin`),
  );
  return (await Promise.all(refusals)).flat();
}

/** Pins all of them. Writes nothing if one can't be resolved. @returns the files that changed */
export async function pinFiles(resolve: (reference: Reference) => Promise<string>, root = ROOT): Promise<string[]> {
  const texts = await Promise.all(
    pinnedFiles(root).map(async (file) => {
      const before = await readFile(join(root, file), "utf8");
      return { file, before, after: await pinReferences(before, resolve) };
    }),
  );
  const changed = texts.filter(({ before, after }) => before !== after);
  for (const { file, after } of changed) await writeFile(join(root, file), after);
  return changed.map(({ file }) => file);
}
