import { join } from "node:path";
import { checkResult, combineResults, type Part, type PartContext, type PartResult, skippedResult } from "./part.ts";
import { runCommand } from "./run-command.ts";
import { CONFORMANCE, goModuleFolder, goTool } from "./tools.ts";

/** The module of the suite's program and protos. */
const MODULE = "connectrpc.com/conformance";
const FOLDER = "test/conformance";
const SERVER = `${FOLDER}/conformance-server.ts`;
/** Cases that wait for the suite's own time-outs run beside each other; more servers than cores only compete. */
const SERVERS = "2";

/** A stack of ours that the suite is run against, and the files of patterns for it. */
interface Stack {
  readonly name: "transport" | "service";
  readonly args: readonly string[];
}

/** The suite's program, and the file of its compiled protos. */
interface SuiteRun {
  readonly suite: string;
  readonly descriptors: string;
}

const STACKS: readonly Stack[] = [
  { name: "transport", args: [] },
  { name: "service", args: ["--known-failing", `@${FOLDER}/changed-by-design.txt`] },
];

/**
 * Connect's conformance suite against our servers, by its own client in Go: Connect, gRPC and gRPC-Web, over HTTP/1.1 and
 * HTTP/2, with and without TLS. Each case counts as a test.
 */
export const conformancePart: Part = { name: "conformance", run: "long", limitMs: 15 * 60_000, check };

async function check(context: PartContext): Promise<PartResult> {
  const { folder, limitMs } = context;
  const tool = await goTool(CONFORMANCE);
  if ("missing" in tool) return skippedResult(`conformance: ${tool.missing}`);
  const protos = await goModuleFolder(MODULE, CONFORMANCE.version);
  if (protos === undefined) return skippedResult("conformance: Go could not say where the suite's protos are");
  const descriptors = join(folder, "conformance.binpb");
  const built = await runCommand({
    command: "buf",
    args: ["build", join(protos, "proto"), "-o", descriptors],
    limitMs,
  });
  if (!built.ok) return checkResult(false, built.output);
  const results: PartResult[] = [];
  for (const stack of STACKS) results.push(await runSuite({ suite: tool.path, descriptors }, stack, context));
  return combineResults(results);
}

/**
 * Runs the suite, and cases that failed once more: under load a connection of its client over HTTP/1.1 with TLS breaks now and
 * then, with a bare Node server far more often than with ours.
 */
async function runSuite(run: SuiteRun, { name, args }: Stack, { limitMs, reruns }: PartContext): Promise<PartResult> {
  const first = await runOnce(run, name, args, limitMs);
  const failed = failedCases(first.output);
  if (first.failed === 0 || failed.length !== first.failed || !reruns.take(1)) return first;
  const again = failed.flatMap((each) => ["--run", each]);
  const second = await runOnce(run, name, again, limitMs);
  if (second.failed > 0 || second.passed !== failed.length) return first;
  return { ...first, passed: first.passed + failed.length, failed: 0, unsteady: failed };
}

async function runOnce({ suite, descriptors }: SuiteRun, stack: string, args: readonly string[], limitMs: number) {
  const config = ["--mode", "server", "--conf", `${FOLDER}/config.yaml`, "--max-servers", SERVERS];
  const server = ["--", "node", SERVER, descriptors, stack];
  const { ok, output } = await runCommand({ command: suite, args: [...config, ...args, ...server], limitMs });
  return countCases(stack, ok, output);
}

/** The names of cases that failed without being expected to. */
export function failedCases(output: string): string[] {
  return Array.from(output.matchAll(/^FAILED: (.+):$/gm), ([, name = ""]) => name);
}

/**
 * Counts cases by the suite's last lines. A case that has to fail and does is passed; one that could not be run is failed, which
 * the suite itself forgives; so is a suite that prints no counts.
 */
export function countCases(name: string, ok: boolean, output: string): PartResult {
  const count = (pattern: RegExp) => Number(pattern.exec(output)?.[1] ?? 0);
  const passed = count(/^(\d+) passed,/m);
  const asExpected = count(/^\(Another (\d+) failed as expected/m);
  const failed = count(/^\d+ passed, (\d+) failed/m) + count(/^Another (\d+) could not be run/m);
  const leastFailed = ok && passed > 0 ? 0 : 1;
  return {
    passed: passed + asExpected,
    failed: Math.max(failed, leastFailed),
    skipped: 0,
    output: `${name}:\n${output}`,
    notRun: [],
  };
}
