import { setTimeout as wait } from "node:timers/promises";
import { type RunningProcess, startProcess } from "../support/processes/child-process.ts";
import { FREE_PORTS } from "../support/processes/embedded.ts";
import { peakBytes } from "../support/processes/peak-memory.ts";
import { temporaryFolder } from "../support/processes/temporary-folder.ts";
import { readRepository } from "../support/repository/repository.ts";
import { type BenchTable, median } from "./support/bench-table.ts";
import { amount } from "./support/quick.ts";

const ROUNDS = amount(3, 1);
/** The longest median time until the process of `npm start` is ready, without the demo, in bare starts of Node in the same run. */
const MOST_RATIO = 20;
/** The same for a first start, with an empty folder. */
const MOST_FIRST_RATIO = 40;
/** The most memory, in megabytes, that it may have used at any time until then and in the seconds afterwards. */
const MOST_MB = 145;
/** The same for a first start, which may have to compile everything. */
const MOST_FIRST_MB = 175;
/** Time after the start in which the process does its first periodic work. */
const IDLE_MS = amount(3_000, 100);
const READY = /^Ctrl\+C stops it/;

interface Start {
  readonly readyMs: number;
  readonly peakBytes: number;
}

/**
 * Starts what `npm start` starts, without the demo: the first time with an empty folder, and then with what is there. Beside it
 * stands a bare start of Node, which says how busy the computer is. About a minute.
 */
export async function startBench(): Promise<BenchTable> {
  await using stack = new AsyncDisposableStack();
  const folder = await temporaryFolder();
  stack.defer(() => folder.remove());
  const first = await measured(folder.path);
  const later: Start[] = [];
  const bare: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    bare.push(await bareMs());
    later.push(await measured(folder.path));
  }
  const readyMs = median(later.map((start) => start.readyMs));
  const ratio = readyMs / median(bare);
  const most = Math.max(...later.map((start) => start.peakBytes));
  const row = (name: string, ms: number, bytes?: number) => [
    name,
    ms.toFixed(0),
    bytes === undefined ? "" : (bytes / 1e6).toFixed(0),
  ];
  return {
    title: "Everything in one process, without the demo",
    columns: ["start", "ready, ms", "peak, MB"],
    rows: [
      row("with an empty folder", first.readyMs, first.peakBytes),
      row(`with what is there, median of ${ROUNDS}`, readyMs, median(later.map((start) => start.peakBytes))),
      row(`bare Node, median of ${ROUNDS}`, median(bare)),
    ],
    notes: [
      "Ready: everything listens and is printed, from the start of the process that npm start runs; npm itself comes on top.",
      `Peak: the most memory (VmHWM) until ${IDLE_MS / 1_000} s after that. Required: at most ${MOST_RATIO} bare starts with what is there (now ${ratio.toFixed(1)}), ${MOST_MB} MB.`,
    ],
    required: [
      { name: "time until it is ready, over a bare start", value: ratio, atMost: MOST_RATIO },
      { name: "the same for a first start", value: first.readyMs / median(bare), atMost: MOST_FIRST_RATIO },
      { name: "MB of memory", value: most / 1e6, atMost: MOST_MB },
      { name: "MB of memory of a first start", value: first.peakBytes / 1e6, atMost: MOST_FIRST_MB },
    ],
  };
}

async function measured(dataFolder: string): Promise<Start> {
  const begin = performance.now();
  const process = await startProcess({
    command: "node",
    args: argumentsOfStart(),
    env: { ...FREE_PORTS, DATA_DIR: dataFolder, DEMO: "off" },
    ready: READY,
  });
  const readyMs = performance.now() - begin;
  await wait(IDLE_MS);
  const bytes = await peakBytes(process.pid);
  await end(process);
  return { readyMs, peakBytes: bytes };
}

async function bareMs(): Promise<number> {
  const begin = performance.now();
  const process = await startProcess({ command: "node", args: ["-e", "console.log('ready')"], ready: /ready/ });
  const ms = performance.now() - begin;
  await process.exited;
  return ms;
}

async function end(process: RunningProcess): Promise<void> {
  const { code } = await process.kill("SIGTERM");
  if (code !== 0) throw new Error(`the process ended with code ${code}: ${process.output()}`);
}

/** Returns the arguments that the script `start` of package.json gives to Node. */
function argumentsOfStart(): readonly string[] {
  const { scripts } = JSON.parse(readRepository("package.json"));
  const [exec, command, ...args] = String(scripts.start).split(" ");
  if (exec === "exec" && command === "node") return args;
  throw new Error(`npm start is no longer a call of Node: ${scripts.start}`);
}
