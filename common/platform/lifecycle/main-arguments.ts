import { ConfigError } from "../config/config-error.ts";
import { VERSION } from "../config/version.ts";

/** Work that an argument of a process names, in place of serving. The process ends with it. */
export interface Task {
  readonly argument: `--${string}`;
  /** Description of the work, for `--help`. */
  readonly summary: string;
  /** Options that may follow the argument. None by default. */
  readonly options?: readonly string[];
  /** @param options those that follow the argument */
  readonly run: (options: readonly string[]) => Promise<void>;
}

/** Decision from a process's arguments: to print a text, or to run. */
export type MainAction = { readonly text: string } | { readonly run: () => Promise<void> };

/** Arguments that a process doesn't know. */
export class UsageError extends Error {}

const OWN = [
  { argument: "--help", summary: "print this text" },
  { argument: "--version", summary: "print the version" },
];

/** The tasks of a service that has tables of its own. */
export function migrationTasks(migrate: () => Promise<void>, awaitMigrations: () => Promise<void>): readonly Task[] {
  return [
    { argument: "--migrate", summary: "bring the tables up to date and end", run: () => explained(migrate) },
    {
      argument: "--await-migrations",
      summary: "end as soon as another process has brought the tables up to date",
      run: awaitMigrations,
    },
  ];
}

/** Advice about migrations that failed: the operator may have nothing but the log of a Job. */
const MIGRATE_AGAIN =
  "the migrations failed; once the cause is mended, run --migrate again, which goes on where it stopped, and until then " +
  "the version before works on. On Kubernetes, delete the failed Job and repeat the helm command (docs/kubernetes.md, Upgrades)";

async function explained(migrate: () => Promise<void>): Promise<void> {
  try {
    await migrate();
  } catch (error) {
    throw error instanceof ConfigError ? error : new Error(MIGRATE_AGAIN, { cause: error });
  }
}

/**
 * Decides what a process does, by its arguments: nothing or one of them.
 *
 * @param file the entry file, for `--help`
 * @param serve the work of a process without an argument
 * @throws UsageError for anything else than one known argument, so that a misspelt one starts no service
 */
export function actionOf(
  [first, ...rest]: readonly string[],
  file: string,
  serve: () => Promise<void>,
  tasks: readonly Task[],
): MainAction {
  if (first === undefined) return { run: serve };
  const task = tasks.find(({ argument }) => argument === first);
  const options = task?.options ?? [];
  if (rest.some((each) => !options.includes(each))) {
    const allowed =
      options.length === 0 ? "expected at most one argument" : `${first} takes only ${options.join(", ")}`;
    throw new UsageError(`${allowed}; --help lists them`);
  }
  if (first === "--help") return { text: help(file, tasks) };
  if (first === "--version") return { text: `${VERSION}\n` };
  if (task === undefined)
    throw new UsageError(`unknown argument ${JSON.stringify(first)}; --help lists those that are known`);
  return { run: () => task.run(rest) };
}

/** The longest argument with its options, and two spaces. */
const ARGUMENT_WIDTH = 36;

function help(file: string, tasks: readonly Task[]): string {
  const taskRows = tasks.map(({ argument, options = [], summary }) => {
    const optional = options.map((option) => ` [${option}]`).join("");
    return { argument: `${argument}${optional}`, summary };
  });
  const rows = [...taskRows, ...OWN].map(({ argument, summary }) => `  ${argument.padEnd(ARGUMENT_WIDTH)}${summary}\n`);
  return `Usage: node ${file} [ARGUMENT]

Without an argument the process serves until it gets SIGTERM or SIGINT. All of its settings are environment variables.

${rows.join("")}`;
}
