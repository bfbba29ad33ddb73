import { setTimeout as delay } from "node:timers/promises";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { ProcessStatus } from "../../../common/platform/status/process-status.ts";
import type { StatusLevel, StatusLine } from "../../../common/platform/status/status-lines.ts";
import { SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { GetStatusResponse } from "../../../proto/gen/tidemark/status/v1/status_service_pb.ts";
import type { CliContext, CliOutput } from "../base/cli-context.ts";
import { CommandFailure, NoAnswer, UsageError } from "../base/cli-error.ts";
import type { Command, CommandInput } from "../base/command.ts";
import { type AddressedProcess, SERVICE_NAMES } from "../base/service-processes.ts";
import { alignColumns } from "../output/align-columns.ts";
import { failureText } from "../output/failure-text.ts";
import { paintFor, type Style } from "../output/paint.ts";
import { terminalText } from "../output/terminal-text.ts";
import { write } from "../output/write.ts";
import { allSales } from "../sales/all-sales.ts";
import { type Answer, type AskedProcess, knowsNothing, type SystemFacts, systemLines } from "./system-lines.ts";

/** Long enough for a process whose database doesn't answer, once it is connected. */
const ASK_TIMEOUT_MS = 5_000;
const WATCH_INTERVAL_MS = 5_000;
const CLEAR_SCREEN = "\u001b[H\u001b[2J";

const STYLES: Readonly<Record<StatusLevel, Style>> = { well: "green", wrong: "red", note: "dim" };

export const status: Command = {
  name: "status",
  positionals: [],
  summary: "show whether all processes are well, and what is wrong",
  details: `Asks each process behind the configured addresses for its version, readiness and backlog, and the services for chains, feeds
and keys. Exit code 0: all is well; 1: something is wrong, or doesn't answer; 2: no process has answered.`,
  options: {
    json: { type: "boolean", help: "as JSON for programs: a list of level, subject and text" },
    watch: { type: "boolean", help: "again every five seconds, until Ctrl+C" },
    skip: { type: "string", multiple: true, value: SERVICE_NAMES.join("|"), help: "a service that isn't deployed" },
  },
  async run(input, context) {
    const skipped = skippedServices(input);
    if (!input.flag("watch")) return conclude(await show(input, context, skipped));
    for (;;) {
      if (context.output.isTTY && !input.flag("json")) await write(context.output, CLEAR_SCREEN);
      await show(input, context, skipped);
      await delay(WATCH_INTERVAL_MS, undefined, { signal: context.signal });
    }
  },
};

function skippedServices(input: CommandInput): readonly string[] {
  const skipped = input.texts("skip");
  const names: readonly string[] = SERVICE_NAMES;
  if (skipped.every((name) => names.includes(name))) return skipped;
  throw new UsageError(`--skip expects one of ${SERVICE_NAMES.join(", ")}`);
}

interface Shown {
  readonly lines: readonly StatusLine[];
  readonly facts: SystemFacts;
}

async function show(input: CommandInput, context: CliContext, skipped: readonly string[]): Promise<Shown> {
  const facts = await ask(context, skipped);
  const lines = systemLines(facts, Date.now());
  await write(
    context.output,
    `${input.flag("json") ? JSON.stringify(lines, null, 2) : table(lines, context.output)}\n`,
  );
  return { lines, facts };
}

function table(lines: readonly StatusLine[], output: CliOutput): string {
  const paint = paintFor(output);
  const rows = lines.map(({ level, subject, text }) => [
    paint(STYLES[level], level),
    terminalText(subject),
    terminalText(text),
  ]);
  return alignColumns([["STATE", "OF", "WHAT"], ...rows]);
}

/** @throws NoAnswer, CommandFailure by what was found */
function conclude({ lines, facts }: Shown): void {
  if (knowsNothing(facts)) throw new NoAnswer("no process has answered");
  const wrong = lines.filter(({ level }) => level === "wrong").length;
  if (wrong > 0) throw new CommandFailure(wrong === 1 ? "one thing is wrong" : `${wrong} things are wrong`);
}

async function ask(context: CliContext, skipped: readonly string[]): Promise<SystemFacts> {
  const { signal, signingKeys, connectRetryMs } = context;
  const isAsked = (service: string) => !skipped.includes(service);
  const addressed = (await context.processes()).filter(({ service }) => isAsked(service));
  const timeoutMs = ASK_TIMEOUT_MS + connectRetryMs;
  const limit = () => ({ signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]) });
  const [processes, sales, keys] = await Promise.all([
    Promise.all(addressed.map((each) => askProcess(each, limit().signal))),
    isAsked("commitments")
      ? answerOf(Array.fromAsync(allSales({ ...context, ...limit() }, SaleStatus.OPEN)))
      : undefined,
    isAsked("auth") ? answerOf(signingKeys.listKeys({}, limit()).then((answer) => answer.keys)) : undefined,
  ]);
  signal.throwIfAborted();
  return { processes, ...(sales && { sales }), ...(keys && { signingKeys: keys }) };
}

async function askProcess({ service, url, client }: AddressedProcess, signal: AbortSignal): Promise<AskedProcess> {
  const answer = await answerOf(client.getStatus({}, { signal }));
  return { service, url, ...("value" in answer ? { status: statusOf(answer.value) } : answer) };
}

async function answerOf<Value>(call: Promise<Value>): Promise<Answer<Value>> {
  try {
    return { value: await call };
  } catch (error) {
    return { failure: failureText(error).split("\n", 1)[0] ?? "" };
  }
}

function statusOf({ startedAt, notReady, measurements, ...names }: GetStatusResponse): ProcessStatus {
  const startedAtMs = startedAt === undefined ? 0 : timestampMs(startedAt);
  return { ...names, startedAtMs, notReady, measurements };
}
