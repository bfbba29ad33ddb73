/** The tests that a part ran. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Result of a part. */
export interface PartResult extends Counts {
  /** Shown where something failed. */
  readonly output: string;
  /** Names of what wasn't run, with the reason if it is known. */
  readonly notRun: readonly string[];
  /** Lines about its tests, for a part that shows each of them. */
  readonly tests?: readonly string[];
  /** Tests that failed, each with the first line of its error. */
  readonly failures?: readonly string[];
  /** Tests that failed first and passed in a second run, as `failures`: each wants somebody to look at it. */
  readonly unsteady?: readonly string[];
}

/** Folder and limits that a part gets. */
export interface PartContext {
  /** A folder for this run's files, removed after it. */
  readonly folder: string;
  /** Time limit of the part, in milliseconds. */
  readonly limitMs: number;
  /** Allowance of files that may run once more after a failure. */
  readonly reruns: Reruns;
  /** Whether the run's command names the part, which may then build for many minutes. */
  readonly isNamed?: boolean;
  /** Whether the run's command asks for all cases (`--all`) of parts that run fewer by default. */
  readonly hasAll?: boolean;
}

/** One kind of check, run and reported by itself. */
export interface Part {
  readonly name: string;
  /** `npm test`, or `npm run test:long`. */
  readonly run: "short" | "long";
  /** The part whose slow tests these are: a run that names that part runs this one too. */
  readonly slowTestsOf?: string;
  /** Debian packages without which some of its tests are skipped. */
  readonly packages?: readonly string[];
  /** Its own bound, in milliseconds. */
  readonly limitMs: number;
  /** The least time that must be left of a run for it, in milliseconds; otherwise it is skipped by name. */
  readonly leastMs?: number;
  /** The seconds that it should take on two cores, by the table in CONTRIBUTING.md. More is printed, and fails nothing. */
  readonly budgetSeconds?: number;
  check(context: PartContext): Promise<PartResult>;
}

/** The result of a check that counts as one test. */
export function checkResult(ok: boolean, output: string): PartResult {
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0, output, notRun: [] };
}

/** The result of a part that can't run here; it counts as one skipped test. */
export function skippedResult(reason: string): PartResult {
  return { passed: 0, failed: 0, skipped: 1, output: "", notRun: [reason] };
}

/** The results of several runs as that of one part. */
export function combineResults(results: readonly PartResult[]): PartResult {
  const total = (of: keyof Counts) => results.reduce((sum, each) => sum + each[of], 0);
  return {
    passed: total("passed"),
    failed: total("failed"),
    skipped: total("skipped"),
    output: results.map(({ output }) => output).join("\n"),
    notRun: results.flatMap(({ notRun }) => notRun),
    failures: results.flatMap(({ failures = [] }) => failures),
    unsteady: results.flatMap(({ unsteady = [] }) => unsteady),
  };
}

/** Failed files that may run once more in the whole of a CI run. */
const CI_FILES = 2;

/** Allowance of files with failed tests that may run once more. A developer's run has none, so that no failure is overlooked. */
export class Reruns {
  #files: number;

  constructor(files: number) {
    this.#files = files;
  }

  /** Two files where the environment says `CI=true`, otherwise none. */
  static fromEnvironment(env: Readonly<Record<string, string | undefined>>): Reruns {
    return new Reruns(env["CI"] === "true" ? CI_FILES : 0);
  }

  /** Takes what the files need, all or nothing. */
  take(files: number): boolean {
    if (files === 0 || files > this.#files) return false;
    this.#files -= files;
    return true;
  }
}
