import { Code, ConnectError } from "@connectrpc/connect";
import pRetry from "p-retry";
import { type ListProgress, type PartAnswer, type SentLine, sendList } from "../../../common/internal-api/send-list.ts";
import { countText } from "../../../common/sale/words/number-text.ts";
import type { CliContext } from "../base/cli-context.ts";
import { CommandFailure, Interrupted } from "../base/cli-error.ts";
import type { CommandInput, CommandOptions } from "../base/command.ts";
import { RowProgress } from "../output/row-progress.ts";
import { terminalText } from "../output/terminal-text.ts";
import { write } from "../output/write.ts";
import { readLines } from "./read-lines.ts";

const MAX_RETRIES = 5;
const FIRST_BACKOFF_MS = 100;

/** For `--help` of a command that imports a list. */
export const LIST_DETAILS = `All lines are checked before the first is stored, and a line that is refused keeps all others from being stored unless
--skip-refused is given. After a failure or Ctrl+C, run the same command again: nothing is stored twice.`;

export const LIST_OPTIONS: CommandOptions = {
  "dry-run": { type: "boolean", help: "check all lines, say what is wrong with which, and change nothing" },
  "skip-refused": { type: "boolean", help: "store the lines that are right although others are refused" },
};

/** A file of lines that a service stores, each by itself. */
export interface ListImport<Row> {
  readonly path: string;
  /** Yields the lines of the file's bytes. */
  read(chunks: AsyncIterable<Uint8Array>): AsyncIterable<SentLine<Row>>;
  /** Sends a part; sending it again changes nothing more. */
  send(rows: readonly Row[], dryRun: boolean): Promise<PartAnswer>;
}

type ListContext = Pick<CliContext, "output" | "errors" | "signal">;

/**
 * Checks the lines of a file, and then stores them, with the options `LIST_OPTIONS`.
 *
 * @throws CommandFailure naming the lines that were refused, or the file if it can't be read
 */
export async function importList<Row>(list: ListImport<Row>, input: CommandInput, context: ListContext): Promise<void> {
  try {
    const total = await countLines(list, context.signal);
    const checked = await pass(list, { kind: "check", total, dryRun: true }, context);
    await write(context.output, `${summaryText(checked)}\n`);
    await reportProblems(list.path, checked, input, context);
    if (input.flag("dry-run") || checked.stored === 0) return;
    const done = await pass(list, { kind: "import", total, dryRun: false }, context);
    await write(context.output, `done: ${summaryText(done)}\n`);
    if (done.refused > checked.refused) throw new CommandFailure(problemsText(list.path, done));
  } catch (error) {
    if (!context.signal.aborted) throw error;
    throw new Interrupted("interrupted: what was stored stays; run the same command again to go on");
  }
}

async function countLines<Row>({ path, read }: ListImport<Row>, signal: AbortSignal): Promise<bigint> {
  let count = 0n;
  for await (const _ of readLines(path, read, signal)) count++;
  return count;
}

async function pass<Row>(
  { path, read, send }: ListImport<Row>,
  { kind, total, dryRun }: { readonly kind: string; readonly total: bigint; readonly dryRun: boolean },
  { errors, signal }: ListContext,
): Promise<ListProgress> {
  const progress = new RowProgress(kind, total, errors);
  let state: ListProgress = { lines: 0, stored: 0, unchanged: 0, refused: 0, problems: [] };
  try {
    for await (state of sendList(readLines(path, read, signal), (rows) => sent(() => send(rows, dryRun), signal))) {
      await progress.show(BigInt(state.lines));
    }
    return state;
  } finally {
    await progress.end();
  }
}

/** Sends a part again whose outcome is unknown. */
function sent(send: () => Promise<PartAnswer>, signal: AbortSignal): Promise<PartAnswer> {
  return pRetry(send, {
    retries: MAX_RETRIES,
    minTimeout: FIRST_BACKOFF_MS,
    randomize: true,
    shouldRetry: ({ error }) => UNKNOWN_OUTCOME.has(ConnectError.from(error).code),
    signal,
  });
}

const UNKNOWN_OUTCOME: ReadonlySet<Code> = new Set([Code.Unavailable, Code.DeadlineExceeded]);

async function reportProblems(path: string, checked: ListProgress, input: CommandInput, { errors }: ListContext) {
  if (checked.refused === 0) return;
  const text = problemsText(path, checked);
  if (input.flag("skip-refused") && !input.flag("dry-run")) return write(errors, `${text}\n`);
  throw new CommandFailure(`${text}\nnothing was changed`);
}

/** `1,000 lines: 990 changes, 8 as they were, 2 refused`. */
function summaryText({ lines, stored, unchanged, refused }: ListProgress): string {
  const parts = [
    `${count(stored)} ${stored === 1 ? "change" : "changes"}`,
    `${count(unchanged)} as they were`,
    `${count(refused)} refused`,
  ];
  return `${count(lines)} ${lines === 1 ? "line" : "lines"}: ${parts.join(", ")}`;
}

/** The lines that were refused, as many as are known, each with its reason. */
function problemsText(path: string, { problems, refused }: ListProgress): string {
  const texts = problems.map(
    ({ line, field, problem }) => `${path}: line ${line}: ${field === "" ? "" : `${field}: `}${terminalText(problem)}`,
  );
  const more = refused - problems.length;
  return [...texts, ...(more > 0 ? [`and ${count(more)} more`] : [])].join("\n");
}

function count(number: number): string {
  return countText(BigInt(number));
}
