import { randomUUID } from "node:crypto";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { generateCallerKey } from "../../common/platform/rpc/identity/caller-keys.ts";
import { startProcess } from "../support/processes/child-process.ts";
import { startCommitmentsProcess } from "../support/processes/commitments-process.ts";
import { REPORT_PEAK_MEMORY, reportedPeakBytes } from "../support/processes/peak-memory.ts";
import { temporaryFolder } from "../support/processes/temporary-folder.ts";
import { openAuction } from "./apply.ts";
import { type BenchTable, median } from "./support/bench-table.ts";
import { BidBook } from "./support/bid-book.ts";
import { amount } from "./support/quick.ts";

const COMMITMENTS = amount(100_000, 1_000);
const ROUNDS = amount(5, 1);
const TICKS = 100_000;
const BATCH = 5_000;
const MEGABYTE = 1_000_000;
/** Bounds of a sale of 100,000 entities, for a command that shares two cores with the service. */
const MOST_SECONDS = 5;
const MOST_MEGABYTES = 500;

/** A command that has ended. */
interface Run {
  readonly seconds: number;
  readonly megabytes: number;
}

/**
 * Plans the settlement of an auction of 100,000 bids of as many entities by the operator's command, and checks the plan against its own
 * allocations, several times. The service, with SQLite, runs on the same cores.
 */
export async function settleBench(): Promise<BenchTable> {
  await using stack = new AsyncDisposableStack();
  const folder = await temporaryFolder();
  stack.defer(() => folder.remove());
  const key = generateCallerKey();
  const service = await startCommitmentsProcess({ DATA_DIR: folder.path }, { key });
  stack.defer(async () => void (await service.process.kill("SIGTERM")));

  const saleUuid = await openAuction(service);
  const book = new BidBook(TICKS, COMMITMENTS);
  for (let from = 0; from < COMMITMENTS; from += BATCH) {
    const bids = book.bids(from, Math.min(BATCH, COMMITMENTS - from));
    const upserts = bids.map((bid) => ({ ...bid, amounts: bid.amounts.slice(0, 1) }));
    await service.commitments.applyCommitments({ saleUuid, requestId: randomUUID(), upserts });
  }
  await service.sales.settleSale({ saleUuid, confirmName: "Benchmark" });

  async function run(...args: string[]): Promise<Run> {
    const env = { COMMITMENTS_URL: service.url, CALLER_KEY: key.text, NODE_OPTIONS: REPORT_PEAK_MEMORY };
    const begin = performance.now();
    const command = await startProcess({
      command: process.execPath,
      args: ["services/cli/main.ts", ...args],
      env,
    });
    const { code } = await command.exited;
    const seconds = (performance.now() - begin) / 1_000;
    if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}: ${command.output()}`);
    return { seconds, megabytes: reportedPeakBytes(command.output()) / MEGABYTE };
  }

  const output = join(folder.path, "settlement");
  const planned = () => run("settle", "plan", saleUuid, "--output", output);
  await planned();
  await run("allocations", "import", saleUuid, join(output, "allocations.csv"));
  const [plans, checks]: [Run[], Run[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    await rm(output, { recursive: true });
    plans.push(await planned());
    checks.push(await run("settle", "check", saleUuid, join(output, "plan.json")));
  }
  const { size } = await stat(join(output, "plan.json"));
  return {
    title: `Settling a sale of ${COMMITMENTS.toLocaleString("en")} entities by the operator's command (SQLite, the service on the same cores)`,
    columns: ["command", "s", "least", "most", "peak MB", "least", "most"],
    rows: [
      ["settle plan", ...cells(plans)],
      ["settle check", ...cells(checks)],
    ],
    notes: [`medians of ${ROUNDS} rounds; a plan of ${(size / MEGABYTE).toFixed(0)} MB`],
    required: [
      { name: "settle plan, s", value: median(secondsOf(plans)), atMost: MOST_SECONDS },
      { name: "settle plan, MB", value: median(megabytesOf(plans)), atMost: MOST_MEGABYTES },
      { name: "settle check, MB", value: median(megabytesOf(checks)), atMost: MOST_MEGABYTES },
    ],
  };
}

const secondsOf = (runs: readonly Run[]) => runs.map(({ seconds }) => seconds);
const megabytesOf = (runs: readonly Run[]) => runs.map(({ megabytes }) => megabytes);

function cells(runs: readonly Run[]): string[] {
  return [...spread(secondsOf(runs), 1), ...spread(megabytesOf(runs), 0)];
}

function spread(values: readonly number[], digits: number): string[] {
  return [median(values), Math.min(...values), Math.max(...values)].map((value) => value.toFixed(digits));
}
