import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { generateCallerKey } from "../../common/platform/rpc/identity/caller-keys.ts";
import { publicBody } from "../../gateway/public-read/cache/public-body.ts";
import { type RunningProcess, startService } from "../support/processes/child-process.ts";
import { temporaryFolder } from "../support/processes/temporary-folder.ts";
import { type BenchTable, median, type RequiredFigure } from "./support/bench-table.ts";
import { cpuMicros, residentBytes } from "./support/process-usage.ts";
import { amount } from "./support/quick.ts";
import { startSampleCommitmentsServer } from "./support/sample-commitments-server.ts";
import { SAMPLE_SALE, sampleCommitmentData } from "./support/sample-sale.ts";
import { runWrk } from "./support/wrk.ts";

const CONNECTIONS = amount([1, 32, 256], [32]);
const ROUNDS = amount(3, 1);
const ROUND_SECONDS = 1;
const LEAST_RATIO = 0.8;
const READ_PATH = "/svc/v1/public/read-commitment-data";

interface Contestant {
  readonly process: RunningProcess;
  readonly url: string;
}

interface Round {
  readonly requestsPerSecond: number;
  readonly p99Micros: number;
  readonly cpuMicrosPerRequest: number;
}

/**
 * Compares the public read of a 100-commitment sale by a real gateway process with a bare `node:http` server that parses the
 * same POST and answers with the same bytes. Both run at the same time, in alternating rounds, under load from `wrk`. About 70
 * seconds.
 *
 * @throws Error if a server can't be started, answers with other bytes, or fails a request
 */
export async function publicReadBench(): Promise<BenchTable> {
  await using stack = new AsyncDisposableStack();
  const { bare, gateway } = await startContestants(stack);
  const required: RequiredFigure[] = [];
  const rows: string[][] = [];
  for (const connections of CONNECTIONS) {
    const { cells, ratio } = await compare({ bare, gateway }, connections);
    rows.push([String(connections), ...cells]);
    required.push({ name: `ratio at ${connections} connections`, value: ratio, atLeast: LEAST_RATIO });
  }
  return {
    title: "Public read, 100 commitments: gateway ÷ bare node:http",
    columns: ["connections", "bare req/s", "gateway req/s", "ratio", ...COLUMNS_BESIDE],
    rows,
    notes: [
      `Medians of ${ROUNDS} rounds of ${ROUND_SECONDS} s each, alternating; the ratio is the median of the rounds' ratios (required ${LEAST_RATIO}, aim 0.95).`,
      `Body ${publicBody(sampleCommitmentData()).bytes().length} bytes. Resident memory afterwards: bare ${await memory(bare)}, gateway ${await memory(gateway)}.`,
    ],
    required,
  };
}

const COLUMNS_BESIDE = ["bare p99 ms", "gateway p99 ms", "bare CPU µs", "gateway CPU µs", "CPU ratio"];

async function startContestants(stack: AsyncDisposableStack): Promise<{ bare: Contestant; gateway: Contestant }> {
  const bytes = publicBody(sampleCommitmentData()).bytes();
  const folder = await temporaryFolder();
  stack.defer(() => folder.remove());
  const upstream = await startSampleCommitmentsServer();
  stack.defer(() => upstream.close(AbortSignal.abort()));
  const bodyFile = join(folder.path, "body.json");
  await writeFile(bodyFile, bytes);
  const bare = await startContestant("test/bench/support/bare-read-server.ts", {
    BODY_FILE: bodyFile,
    SALE_UUID: SAMPLE_SALE,
  });
  stack.defer(() => stop(bare));
  const gateway = await startContestant("gateway/main.ts", {
    GATEWAY_PORT: "0",
    ADMIN_PORT: "0",
    COMMITMENTS_URL: upstream.url,
    CALLER_NAME: "gateway",
    CALLER_KEY: generateCallerKey().text,
  });
  stack.defer(() => stop(gateway));
  for (const { url } of [bare, gateway]) await expectBytes(url, bytes);
  return { bare, gateway };
}

async function startContestant(main: string, env: Record<string, string>): Promise<Contestant> {
  const ready = /^.*"msg":".* listens".*$/;
  const process = await startService({ main, env, ready });
  const [line] = await process.waitForLine(ready);
  return { process, url: `http://127.0.0.1:${JSON.parse(line).port}${READ_PATH}` };
}

async function stop({ process }: Contestant): Promise<void> {
  await process.kill();
}

async function expectBytes(url: string, bytes: Buffer): Promise<void> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", "accept-encoding": "identity" },
    body: JSON.stringify({ SaleUUID: SAMPLE_SALE }),
  });
  const answered = Buffer.from(await response.arrayBuffer());
  if (!answered.equals(bytes)) throw new Error(`${url} answers ${response.status} with other bytes`);
}

async function compare(contestants: Readonly<Record<"bare" | "gateway", Contestant>>, connections: number) {
  // One round of each isn't counted, so that V8 can optimise the code for this load.
  for (const contestant of Object.values(contestants)) await measure(contestant, connections);
  const rounds = { bare: [] as Round[], gateway: [] as Round[] };
  for (let i = 0; i < ROUNDS; i++) {
    // The first place alternates, so that a machine whose speed changes favours none.
    const order = i % 2 === 0 ? (["bare", "gateway"] as const) : (["gateway", "bare"] as const);
    for (const name of order) rounds[name].push(await measure(contestants[name], connections));
  }
  const of = (name: "bare" | "gateway", field: keyof Round) => median(rounds[name].map((round) => round[field]));
  const ratioOf = (field: keyof Round) =>
    median(rounds.gateway.map((round, i) => round[field] / (rounds.bare[i]?.[field] ?? Number.NaN)));
  const ratio = ratioOf("requestsPerSecond");
  const cells = [
    of("bare", "requestsPerSecond").toFixed(0),
    of("gateway", "requestsPerSecond").toFixed(0),
    ratio.toFixed(3),
    (of("bare", "p99Micros") / 1000).toFixed(2),
    (of("gateway", "p99Micros") / 1000).toFixed(2),
    of("bare", "cpuMicrosPerRequest").toFixed(1),
    of("gateway", "cpuMicrosPerRequest").toFixed(1),
    ratioOf("cpuMicrosPerRequest").toFixed(3),
  ];
  return { cells, ratio };
}

async function measure({ process, url }: Contestant, connections: number): Promise<Round> {
  const before = await cpuMicros(process.pid);
  const result = await runWrk({ url, connections, seconds: ROUND_SECONDS, script: "post-sale.lua" });
  const cpu = (await cpuMicros(process.pid)) - before;
  const { requestsPerSecond, p99Micros } = result;
  return { requestsPerSecond, p99Micros, cpuMicrosPerRequest: cpu / result.requests };
}

async function memory({ process }: Contestant): Promise<string> {
  return `${Math.round((await residentBytes(process.pid)) / 2 ** 20)} MiB`;
}
