import { readRepository } from "./repository.ts";

const DOCKERFILE = "deploy/Dockerfile";
const COPIED = ["--from=files /app ./", "--from=compiled --chown=0:0 /compile-cache /compile-cache"];

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
}

/** @throws Error for an instruction that it doesn't know, because it couldn't describe the image then. */
export function describeImage(): ImageDescription {
  const lines = instructions();
  const of = (name: string) => valuesOf(lines, name);
  const unknown = lines.find(([name]) => !/^(FROM|WORKDIR|COPY|ENV|USER|EXPOSE|ENTRYPOINT|CMD)$/.test(name));
  if (unknown !== undefined) throw new Error(`${DOCKERFILE}: ${unknown[0]} is not understood`);
  const copied = of("COPY");
  if (copied.join() !== COPIED.join())
    throw new Error(`${DOCKERFILE}: it copies more than the laid-out files and the compile cache`);
  const [user = Number.NaN, group = Number.NaN] = of("USER")[0]?.split(":").map(Number) ?? [];
  return {
    env: imageEnv(),
    entrypoint: JSON.parse(of("ENTRYPOINT")[0] ?? "[]"),
    command: JSON.parse(of("CMD")[0] ?? "[]"),
    user,
    group,
  };
}

/** The `ENV` of `ImageDescription` alone. */
export function imageEnv(): Readonly<Record<string, string>> {
  return Object.fromEntries(valuesOf(instructions(), "ENV").map(setting));
}

function valuesOf(lines: readonly Instruction[], name: string): readonly string[] {
  return lines.filter(([instruction]) => instruction === name).map(([, rest]) => rest);
}

function setting(text: string): [name: string, value: string] {
  const [, name, value] = /^(\w+)=(?=\S+$|".*"$)"?([^"]+)"?$/.exec(text) ?? [];
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
