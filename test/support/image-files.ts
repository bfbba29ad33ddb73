import { chmodSync, copyFileSync, globSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join, matchesGlob } from "node:path";
import process from "node:process";
import { productionPackages } from "../../scripts/production-packages.ts";
import { REPOSITORY_ROOT } from "./child-process.ts";

const DOCKERFILE = "deploy/Dockerfile";
const MODULES = "node_modules";
const MODE_FILE = 0o644;
const MODE_PROGRAM = 0o755;

/** What deploy/Dockerfile says of its last stage. */
export interface ImageDescription {
  /** `ENV`. */
  readonly env: Readonly<Record<string, string>>;
  /** `ENTRYPOINT` and `CMD`. */
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  /** `USER`: number of user and of group. */
  readonly user: number;
  readonly group: number;
  /** `COPY` from the repository: source and, in the image, below `WORKDIR`, target. */
  readonly copied: readonly (readonly [source: string, target: string])[];
}

/** @throws Error for an instruction that it doesn't know, as then it couldn't tell what the image is. */
export function describeImage(): ImageDescription {
  const stages = readRepository(DOCKERFILE).split(/^(?=FROM )/m);
  const lines = instructions(stages.at(-1) ?? "");
  const of = (name: string) => lines.filter(([instruction]) => instruction === name).map(([, rest]) => rest);
  const unknown = lines.find(([name]) => !/^(FROM|WORKDIR|COPY|ENV|USER|EXPOSE|ENTRYPOINT|CMD)$/.test(name));
  if (unknown !== undefined) throw new Error(`${DOCKERFILE}: ${unknown[0]} is not understood`);
  const [user = Number.NaN, group = Number.NaN] = of("USER")[0]?.split(":").map(Number) ?? [];
  return {
    env: Object.fromEntries(of("ENV").map((text) => text.split("=", 2))),
    entrypoint: JSON.parse(of("ENTRYPOINT")[0] ?? "[]"),
    command: JSON.parse(of("CMD")[0] ?? "[]"),
    user,
    group,
    copied: of("COPY")
      .filter((text) => !text.startsWith("--from"))
      .flatMap(copiedPaths),
  };
}

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

function instructions(stage: string): [name: string, rest: string][] {
  return stage
    .replaceAll(/^#.*\n/gm, "")
    .replaceAll(/\\\n/g, " ")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => [line.split(" ", 1)[0] ?? "", line.replace(/^\S+\s+/, "")]);
}

function copiedPaths(text: string): (readonly [string, string])[] {
  const paths = text.split(/\s+/);
  const target = paths.pop() ?? "";
  // A file goes into the folder; of a folder, what is in it.
  return paths.map((path) => [path, isFolder(path) || !target.endsWith("/") ? target : join(target, fileName(path))]);
}

function isFolder(path: string): boolean {
  return globSync(`${path}/*`, { cwd: REPOSITORY_ROOT }).length > 0;
}

function fileName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
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

function readRepository(path: string): string {
  return readFileSync(join(REPOSITORY_ROOT, path), "utf8");
}
