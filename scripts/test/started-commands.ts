import { BENCHMARKS } from "../../test/bench/benchmarks.ts";

/** How the long run starts a command, or why it doesn't. */
export type Start = LeftOut | StartedHere;

interface LeftOut {
  /** Why it isn't started, or what starts it instead. */
  readonly leftOut: string;
}

interface StartedHere {
  /** Arguments that make it short. `FOLDER` stands for a folder of the run. */
  readonly args: readonly string[];
  /** Whether it writes into the repository, so that it runs in a copy. */
  readonly writes?: true;
  /** Output that shows that it worked although it ends with a failure, as a refused release does. */
  readonly accepted?: RegExp;
  /** Debian packages without which it is skipped. */
  readonly packages?: readonly string[];
}

const SERVERS = ["mariadb-server", "nats-server"];

/** The commands of package.json. Those before another (`pretest`) are all the same, and run once. */
const COMMANDS: Readonly<Record<string, Start>> = {
  prestart: { args: [] },
  start: { leftOut: "the benchmark `start` runs it" },
  test: { args: ["proto-lint"] },
  "test:long": { args: ["proto-lint"] },
  "test:cluster": { leftOut: "it is the part `cluster`" },
  "test:faults": { args: ["--minutes", "0.05"], packages: SERVERS },
  "test:load": { leftOut: "its processes take minutes to settle, however short the load is" },
  bench: { leftOut: "each benchmark is started by its name" },
  tidemark: { args: ["help"] },
  generate: { args: [], writes: true },
  "proto-baseline": { args: [], writes: true },
  contracts: { args: [], writes: true },
  "chart-readme": { args: [], writes: true },
  "client-package": { args: ["FOLDER/client-package"] },
  licences: { args: [], writes: true },
  release: { args: ["--dry-run"], accepted: /^refused: /m },
  "release:pin": { leftOut: "it asks registries and GitHub" },
  screenshots: { args: ["--seconds", "1"], writes: true, packages: ["chromium"] },
  format: { args: [], writes: true },
};

/** Scripts that no command of package.json starts. */
const SCRIPTS: Readonly<Record<string, Start>> = {
  "scripts/draw-demo-logos.ts": { args: [], writes: true },
  "scripts/image-files.ts": { args: ["FOLDER/image"] },
  "scripts/image-tar.ts": { args: ["FOLDER/image.tar"] },
};

/** A command to start, or one that is left out. */
export interface NamedStart {
  readonly name: string;
  /** A line for a shell, without the arguments. */
  readonly line: string;
  /** Undefined for a command that nobody has said how to start. */
  readonly start: Start | undefined;
}

/**
 * Lists every command of package.json, every benchmark, and every script that neither a command nor another script starts.
 *
 * @param scripts the commands of package.json
 * @param files scripts that can be started by themselves
 */
export function startedCommands(scripts: Readonly<Record<string, string>>, files: readonly string[]): NamedStart[] {
  const lines = Object.values(scripts);
  const names = Object.keys(scripts).filter(
    (name) => lines.indexOf(scripts[name] ?? "") === Object.keys(scripts).indexOf(name),
  );
  return [
    ...names.map((name) => ({ name: `npm run ${name}`, line: scripts[name] ?? "", start: COMMANDS[name] })),
    ...Object.entries(BENCHMARKS).map(([name, { packages }]) => ({
      name: `npm run bench -- ${name}`,
      line: scripts["bench"] ?? "",
      start: { args: ["--quick", name], packages },
    })),
    ...files
      .filter((file) => !lines.some((line) => line.includes(file)))
      .map((file) => ({ name: `node ${file}`, line: `node ${file}`, start: SCRIPTS[file] })),
  ];
}
