import { create } from "@bufbuild/protobuf";
import type { Browser, CDPSession } from "playwright-core";
import { generateCallerKey } from "../../common/platform/rpc/identity/caller-keys.ts";
import { CommitmentDataSchema } from "../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import { launchChromium } from "../support/pages/browser.ts";
import { openWatchedPage, REPORT_LAYOUT_SHIFTS } from "../support/pages/watched-page.ts";
import { startGatewayProcess } from "../support/processes/gateway-process.ts";
import type { BenchTable, RequiredFigure } from "./support/bench-table.ts";
import { amount } from "./support/quick.ts";
import { startSampleCommitmentsServer } from "./support/sample-commitments-server.ts";
import { SAMPLE_SALE, sampleCommitmentData } from "./support/sample-sale.ts";

const SECONDS = amount(15, 2);
/** Widths of a phone and of a desk, in pixels of the page. */
const WIDTHS = amount([360, 1_280], [360]);
const HEIGHT = 900;
const UPDATES_PER_SECOND = 300;
/** Duration from which a task noticeably delays the page's response to input (Long Tasks API). */
const LONG_TASK_MS = 50;
const MOST_DRAWS_PER_SECOND = 4;
const LEAST_UPDATES_PER_SECOND = 0.9 * UPDATES_PER_SECOND;
/** The greatest share of the traced time that tasks of the page's main thread may take. */
const MOST_BUSY_SHARE = 0.1;
const WAIT = { timeout: 60_000 };

/** Counts how often the total is written. Each drawing of a changed sale writes it once. */
const COUNT_DRAWS = `window.draws = 0;
new MutationObserver(() => window.draws++).observe(document.querySelector("#total"), { childList: true })`;

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly tid: number;
  readonly pid: number;
  /** CPU time of the thread, in microseconds. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** One width of the page, and what was measured in it. */
interface Measured {
  readonly width: number;
  readonly updates: number;
  readonly draws: number;
  /** Share of the time for which the main thread was busy. */
  readonly busy: number;
  readonly longestMs: number;
  readonly longTasks: number;
  readonly shifts: number;
}

/**
 * Opens the page of a sale with 100 commitments that changes 300 times a second in Chromium, as wide as on a phone and on a desk, and
 * traces how often the page draws, how long its main thread is busy, and whether anything moves. About 50 seconds.
 *
 * @throws Error if a process can't be started
 */
export async function salePageBench(): Promise<BenchTable> {
  await using stack = new AsyncDisposableStack();
  const browser = await launchChromium();
  stack.defer(() => browser.close());
  const rows: Measured[] = [];
  for (const width of WIDTHS) rows.push(await measured(browser, width));
  return {
    title: `The page of a sale with ${UPDATES_PER_SECOND} updates a second, in Chromium`,
    columns: [
      ...["width", "updates/s", "draws/s", "main thread busy", "longest task ms"],
      ...[`tasks over ${LONG_TASK_MS} ms`, "layout shifts"],
    ],
    rows: rows.map(({ width, updates, draws, busy, longestMs, longTasks, shifts }) => [
      ...[String(width), updates.toFixed(0), draws.toFixed(2), `${(100 * busy).toFixed(1)} %`, longestMs.toFixed(1)],
      ...[String(longTasks), String(shifts)],
    ]),
    notes: [
      `${SECONDS} s traced; at most ${MOST_DRAWS_PER_SECOND} draws a second and a share of ${MOST_BUSY_SHARE} of the main thread, and no layout shift. Browser, gateway and load share the machine.`,
    ],
    required: rows.flatMap(requiredOf),
    faults: rows.flatMap(faultsOf),
  };
}

/** Returns what is wrong once it happens in any run, which a median would hide. */
function faultsOf({ width, draws, shifts }: Measured): string[] {
  return [
    ...(draws === 0 ? [`${width} px: the page drew nothing`] : []),
    ...(shifts > 0 ? [`${width} px: ${shifts} layout shifts`] : []),
  ];
}

async function measured(browser: Browser, width: number): Promise<Measured> {
  await using stack = new AsyncDisposableStack();
  const sale = new BusySale();
  const upstream = await startSampleCommitmentsServer(sale);
  stack.defer(() => upstream.close(AbortSignal.abort()));
  const gateway = await startGatewayProcess({
    COMMITMENTS_URL: upstream.url,
    CALLER_NAME: "gateway",
    CALLER_KEY: generateCallerKey().text,
    CACHE_MAX_STALE: "250ms",
  });
  stack.defer(async () => void (await gateway.process.kill()));
  const watched = await openWatchedPage(browser, { viewport: { width, height: HEIGHT } });
  stack.defer(() => watched.close());
  const { page, complaints } = watched;
  await page.addInitScript(REPORT_LAYOUT_SHIFTS);
  await page.goto(`http://127.0.0.1:${gateway.port}/sales/${SAMPLE_SALE}`);
  await page.locator('#state[data-state="live"]').waitFor(WAIT);
  stack.defer(() => sale.rest());
  sale.change();
  // Charts are drawn once they are nearly visible.
  await page.locator("figure").first().scrollIntoViewIfNeeded();
  await page.locator("figure[data-drawn]").first().waitFor(WAIT);
  await page.evaluate(COUNT_DRAWS);
  const [changesBefore, begin] = [sale.changes, performance.now()];
  let seconds = 0;
  let [updates, draws] = [0, 0];
  const events = await traced(await browser.newBrowserCDPSession(), async () => {
    // A shift is noticed where it is in sight.
    for (const part of ["h1", "figure", "#latest"]) {
      await page.locator(part).first().scrollIntoViewIfNeeded();
      await page.waitForTimeout((SECONDS / 3) * 1000);
    }
    const drawn = Number(await page.evaluate("window.draws"));
    seconds = (performance.now() - begin) / 1000;
    [updates, draws] = [(sale.changes - changesBefore) / seconds, drawn / seconds];
  });
  const tasks = mainThreadTasks(events).map((micros) => micros / 1000);
  return {
    ...{ width, updates, draws },
    busy: tasks.reduce((sum, task) => sum + task, 0) / (seconds * 1000),
    longestMs: Math.max(0, ...tasks),
    longTasks: tasks.filter((task) => task > LONG_TASK_MS).length,
    shifts: complaints.filter((complaint) => complaint.includes("layout shift")).length,
  };
}

function requiredOf({ width, updates, draws, busy }: Measured): RequiredFigure[] {
  return [
    { name: `draws a second at ${width} px`, value: draws, atMost: MOST_DRAWS_PER_SECOND },
    { name: `updates a second at ${width} px`, value: updates, atLeast: LEAST_UPDATES_PER_SECOND },
    { name: `busy share of the main thread at ${width} px`, value: busy, atMost: MOST_BUSY_SHARE },
  ];
}

/** Traces the browser while `meanwhile` runs. */
async function traced(session: CDPSession, meanwhile: () => Promise<void>): Promise<readonly TraceEvent[]> {
  const events: TraceEvent[] = [];
  session.on("Tracing.dataCollected", ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  await session.send("Tracing.start", { categories: "toplevel,__metadata", transferMode: "ReportEvents" });
  await meanwhile();
  const complete = new Promise((resolve) => session.once("Tracing.tracingComplete", resolve));
  await session.send("Tracing.end");
  await complete;
  return events;
}

/**
 * The CPU time of each task on the main threads of renderers, in microseconds. Elapsed time would include other processes of the
 * machine.
 */
function mainThreadTasks(events: readonly TraceEvent[]): number[] {
  const threads = new Set(
    events
      .filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain")
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  return events
    .filter(({ ph, name, pid, tid }) => ph === "X" && name.endsWith("RunTask") && threads.has(`${pid} ${tid}`))
    .map(({ tdur = 0 }) => tdur);
}

/** A sale whose newest commitment, total and price change all the time. */
class BusySale {
  revision = 1n;
  data = sampleCommitmentData();
  changes = 0;
  #timer: NodeJS.Timeout | undefined;

  /** Starts the changes. */
  change(): void {
    const begin = performance.now();
    this.#timer = setInterval(() => {
      const due = Math.floor(((performance.now() - begin) / 1000) * UPDATES_PER_SECOND);
      for (; this.changes < due; this.changes++) this.#next();
    }, 5);
  }

  rest(): void {
    clearInterval(this.#timer);
  }

  #next(): void {
    this.revision++;
    const [newest, ...others] = this.data.commitments;
    if (newest === undefined) return;
    const commitmentId = Buffer.alloc(32);
    commitmentId.writeBigUInt64BE(2n ** 63n + this.revision);
    const createdAtSeconds = newest.createdAtSeconds + 1n;
    this.data = create(CommitmentDataSchema, {
      ...this.data,
      commitments: [{ ...newest, commitmentId, createdAtSeconds }, newest, ...others.slice(0, -1)],
      totalAmount: String(BigInt(this.data.totalAmount) + this.revision),
      commitmentCount: this.data.commitmentCount + 1n,
    });
  }
}
