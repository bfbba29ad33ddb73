import { globSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY_ROOT, readRepository } from "./repository.ts";

export const DOCKERFILE = "deploy/Dockerfile";

type Instruction = readonly [name: string, rest: string];

/** Description of the last stage in deploy/Dockerfile. */
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

/** @throws Error for an instruction that it doesn't know, because it couldn't describe the image then. */
export function describeImage(): ImageDescription {
  const lines = instructions();
  const of = (name: string) => valuesOf(lines, name);
  const unknown = lines.find(([name]) => !/^(FROM|WORKDIR|COPY|ENV|USER|EXPOSE|ENTRYPOINT|CMD)$/.test(name));
  if (unknown !== undefined) throw new Error(`${DOCKERFILE}: ${unknown[0]} is not understood`);
  const [user = Number.NaN, group = Number.NaN] = of("USER")[0]?.split(":").map(Number) ?? [];
  return {
    env: imageEnv(),
    entrypoint: JSON.parse(of("ENTRYPOINT")[0] ?? "[]"),
    command: JSON.parse(of("CMD")[0] ?? "[]"),
    user,
    group,
    copied: of("COPY")
      .filter((text) => !text.startsWith("--from"))
      .flatMap(copiedPaths),
  };
}

/** The `ENV` of `ImageDescription` alone, for which no file but the Dockerfile is looked at. */
export function imageEnv(): Readonly<Record<string, string>> {
  return Object.fromEntries(valuesOf(instructions(), "ENV").map(setting));
}

function valuesOf(lines: readonly Instruction[], name: string): readonly string[] {
  return lines.filter(([instruction]) => instruction === name).map(([, rest]) => rest);
}

function setting(text: string): [name: string, value: string] {
  const [, name, value] = /^(\w+)=(\S+)$/.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new Error(`${DOCKERFILE}: ENV ${text} is not understood`);
  return [name, value];
}

/** Those of the last stage. */
function instructions(): readonly Instruction[] {
  const stages = readRepository(DOCKERFILE).split(/^(?=FROM )/m);
  return (stages.at(-1) ?? "")
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

/** Whether a path of the repository is a folder that holds something. */
export function isFolder(path: string): boolean {
  return globSync(`${path}/*`, { cwd: REPOSITORY_ROOT }).length > 0;
}

function fileName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
