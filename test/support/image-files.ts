import { chmodSync, copyFileSync, globSync, mkdirSync } from "node:fs";
import { dirname, join, matchesGlob } from "node:path";
import process from "node:process";
import { productionPackages } from "../../scripts/production-packages.ts";
import { DOCKERFILE, type ImageDescription, isFolder } from "./image-description.ts";
import { REPOSITORY_ROOT, readRepository } from "./repository.ts";

const MODULES = "node_modules";
const MODE_FILE = 0o644;
const MODE_PROGRAM = 0o755;

/**
 * Lays the image's files out below a folder, as a build would: what is copied from the repository and isn't ignored,
 * the packages that npm would install, less what the first stage removes, and a Node at the entry point's place.
 */
export function layOutImage(root: string, { copied, entrypoint }: ImageDescription): void {
  const own = copied.flatMap(([source, target]) =>
    repositoryFiles(source).map((file) => [file, join("app", target, file.slice(source.length))] as const),
  );
  const removed = removedFromModules();
  const modules = productionPackages().flatMap(({ folder }) =>
    globSync("**", { cwd: join(REPOSITORY_ROOT, folder), withFileTypes: true, exclude: [MODULES] })
      .filter((entry) => entry.isFile() && !removed.some((pattern) => matchesGlob(entry.name, pattern)))
      .map((entry) => join(entry.parentPath, entry.name).slice(REPOSITORY_ROOT.length)),
  );
  const files = [...own, ...modules.map((file) => [file, join("app", file)] as const)];
  const folders = new Set(files.map(([, target]) => dirname(target)));
  for (const folder of folders) mkdirSync(join(root, folder), { recursive: true, mode: MODE_PROGRAM });
  for (const [file, target] of files) {
    copyFileSync(join(REPOSITORY_ROOT, file), join(root, target));
    chmodSync(join(root, target), MODE_FILE);
  }
  placeNode(join(root, entrypoint[0] ?? ""));
}

function placeNode(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: MODE_PROGRAM });
  copyFileSync(process.execPath, path);
  chmodSync(path, MODE_PROGRAM);
}

/** Files at or below a path that deploy/Dockerfile.dockerignore lets through. */
function repositoryFiles(path: string): string[] {
  if (!isFolder(path)) return isIgnored(path) ? [] : [path];
  return globSync(`${path}/**`, { cwd: REPOSITORY_ROOT, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(REPOSITORY_ROOT.length))
    .filter((file) => !isIgnored(file));
}

const ignorePatterns = readRepository(`${DOCKERFILE}.dockerignore`)
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"));

/** The last pattern that matches the file or a folder above it decides. */
function isIgnored(file: string): boolean {
  const paths = file.split("/").map((_, index, parts) => parts.slice(0, index + 1).join("/"));
  const matches = (pattern: string) => paths.some((path) => matchesGlob(path, pattern));
  const last = ignorePatterns.findLast((pattern) => matches(pattern.replace(/^!/, "")));
  return last !== undefined && !last.startsWith("!");
}

/** The patterns of `find node_modules … -delete`. */
function removedFromModules(): string[] {
  const command = /find node_modules.*-delete/.exec(readRepository(DOCKERFILE))?.[0] ?? "";
  return [...command.matchAll(/-name '([^']+)'/g)].map(([, pattern = ""]) => pattern);
}
