import { randomInt, randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, it } from "vitest";
import { generateCallerKey } from "../../../common/platform/rpc/identity/caller-keys.ts";
import { Random } from "../../../services/demo/bidders/random.ts";
import { SvmBidders } from "../../support/chains/svm-bidders.ts";
import { openSvmSale, svmChainSetting } from "../../support/chains/svm-chain-sale.ts";
import { SvmLies } from "../../support/chains/svm-lies.ts";
import { SvmNode } from "../../support/chains/svm-node.ts";
import { SvmSaleWatcher } from "../../support/chains/svm-sale-watcher.ts";
import { type CommitmentsProcess, startCommitmentsProcess } from "../../support/processes/commitments-process.ts";
import { startGatewayProcess } from "../../support/processes/gateway-process.ts";
import { type IndexerProcess, indexerKey, startIndexerProcess } from "../../support/processes/indexer-process.ts";
import { temporaryFolder } from "../../support/processes/temporary-folder.ts";
import { until } from "../../support/repository/polling.ts";

/** `FAULT_SEED` repeats an earlier run, whose seed was printed. */
const SEED = Number(process.env["FAULT_SEED"] ?? randomInt(2 ** 31));
const ENTITIES = 2_000;
const ROUNDS = 18;
const LYING_ROUNDS = 12;
const LIES_PER_ANSWER = 0.12;
const APPLY_MAX_ROWS = "1000";
const LEASE = { LEASE_DURATION: "3s", APPLY_MAX_ROWS };

let stack: AsyncDisposableStack;
beforeEach(() => {
  stack = new AsyncDisposableStack();
});
afterEach(() => stack.disposeAsync());

const gatewayKey = generateCallerKey();

async function startService(): Promise<CommitmentsProcess> {
  const folder = stack.adopt(await temporaryFolder(), ({ remove }) => remove());
  const otherCallers = { indexer: indexerKey.text, gateway: gatewayKey.text };
  const service = await startCommitmentsProcess({ DATA_DIR: folder.path, APPLY_MAX_ROWS }, { otherCallers });
  stack.defer(async () => void (await service.process.kill()));
  return service;
}

async function startIndexer(
  service: CommitmentsProcess,
  nodes: readonly SvmNode[],
  options: Readonly<Record<string, unknown>> = {},
): Promise<IndexerProcess> {
  const solana = svmChainSetting(nodes, options);
  const indexer = await startIndexerProcess(service.url, { solana }, LEASE);
  stack.defer(async () => void (await indexer.process.kill()));
  return indexer;
}

/** A node whose slots advance. */
async function startNode(): Promise<SvmNode> {
  const node = stack.adopt(await SvmNode.start(randomUUID()), (started) => started.stop());
  node.beforeAnswer = (_, params) => void node.reach(params);
  return node;
}

/** Opens the sale of a node and watches it. */
async function watch(service: CommitmentsProcess, node: SvmNode): Promise<SvmSaleWatcher> {
  return new SvmSaleWatcher(service, await openSvmSale(service, node), node);
}

/** A random round of changes, in one slot or in several at once. */
function act(bidders: SvmBidders, random: Random): void {
  const acts = [
    () => bidders.raise(random.integer(1, 60)),
    () => bidders.raise(random.integer(1, 3)),
    () => bidders.join(random.integer(1, 20)),
    () => bidders.reduce(),
    () => bidders.cancel(),
    () => bidders.refund(random.integer(1, 5)),
    () => bidders.close(),
    () => bidders.changeStage(),
  ] as const;
  for (let times = random.integer(1, 3); times > 0; times -= 1) random.pick(acts)();
}

it(`a sale on Solana shows the state of its accounts through every change (FAULT_SEED=${SEED})`, async () => {
  const random = new Random(SEED);
  const [service, node] = [await startService(), await startNode()];
  const bidders = new SvmBidders(node, random);
  bidders.join(ENTITIES);
  bidders.raise(ENTITIES);
  await startIndexer(service, [node]);
  const watcher = await watch(service, node);
  const gateway = await startGatewayProcess({
    COMMITMENTS_URL: service.url,
    CALLER_NAME: "gateway",
    CALLER_KEY: gatewayKey.text,
  });
  stack.defer(async () => void (await gateway.process.kill()));
  await watcher.untilInStep();
  for (let round = 0; round < ROUNDS; round += 1) {
    act(bidders, random);
    await watcher.untilInStep();
  }
  const { total, count } = watcher.expectedAt(node.state.slot);
  await until(async () => {
    const { TotalCommitmentAmount, UniqueCommitmentCount } = await (await gateway.read(node.state.saleUuid)).json();
    return TotalCommitmentAmount === total && BigInt(UniqueCommitmentCount) === count;
  });
  expect(watcher.faultsSeen).toBe(0);
});

it(`a lying node makes the figures late but never wrong, and the sale recovers (FAULT_SEED=${SEED})`, async () => {
  const random = new Random(SEED);
  const [service, node] = [await startService(), await startNode()];
  const bidders = new SvmBidders(node, random);
  bidders.join(300);
  const lies = new SvmLies(node, new Random(random.integer(0, 2 ** 31)));
  await startIndexer(service, [node], { requestTimeout: "500ms" });
  const watcher = await watch(service, node);
  lies.rate = LIES_PER_ANSWER;
  for (let round = 0; round < LYING_ROUNDS; round += 1) {
    act(bidders, random);
    await watcher.untilInStep();
  }
  lies.rate = 1;
  await watcher.until(({ fault }) => fault !== "");
  lies.rate = 0;
  bidders.raise(1);
  await watcher.untilInStep();
  await watcher.until(({ fault }) => fault === "");
  expect(watcher.faultsSeen).toBeGreaterThan(0);
  console.log(
    `FAULT_SEED=${SEED}: ${watcher.summary}; lies: ${[...lies.lieCounts].map((each) => each.join(" × ")).join(", ")}`,
  );
});

it("a node that is down is skipped, and one that lags isn't believed, whether it says so or not", async () => {
  const [service, node] = [await startService(), await startNode()];
  const other = stack.adopt(await node.startPeer(), (started) => started.stop());
  const bidders = new SvmBidders(node, new Random(1));
  bidders.join(50);
  await startIndexer(service, [other, node], { requestTimeout: "500ms" });
  const watcher = await watch(service, node);
  for (const fault of ["http_500", "hang", "unhealthy"] as const) {
    other.beforeAnswer = () => fault;
    bidders.raise(5);
    await watcher.untilInStep();
  }
  node.beforeAnswer = () => "http_500";
  for (const fault of ["behind", "stale"] as const) {
    other.beforeAnswer = () => fault;
    await watcher.until((look) => look.fault.includes("lags"));
  }
  other.beforeAnswer = (_, params) => void other.reach(params);
  bidders.raise(5);
  await watcher.untilInStep();
  await watcher.until(({ fault }) => fault === "");
});

/** The epoch of the last lease that an indexer has read under; 0 if there is none. */
function epochOf({ process }: IndexerProcess): number {
  const epochs = [...process.output().matchAll(/"epoch":"(\d+)","msg":"reading the sale"/g)];
  return Number(epochs.at(-1)?.[1] ?? 0);
}

it("another process takes over from a killed or paused reader, which does no harm when it resumes", async () => {
  const random = new Random(SEED);
  const [service, node] = [await startService(), await startNode()];
  const bidders = new SvmBidders(node, random);
  bidders.join(200);
  let indexers = [await startIndexer(service, [node]), await startIndexer(service, [node])];
  const watcher = await watch(service, node);
  for (const signal of ["SIGSTOP", "SIGKILL", "SIGSTOP"] as const) {
    await watcher.untilInStep();
    const [standby, reader] = indexers.toSorted((left, right) => epochOf(left) - epochOf(right));
    if (reader === undefined || standby === undefined) throw new Error("two indexers run");
    const epoch = epochOf(reader);
    act(bidders, random);
    reader.process.signal(signal);
    // A change in any case: some random rounds leave all as it was.
    bidders.join(1);
    await watcher.untilInStep();
    expect(epochOf(standby)).toBeGreaterThan(epoch);
    if (signal === "SIGSTOP") reader.process.signal("SIGCONT");
    else indexers = [standby, await startIndexer(service, [node])];
    for (let round = 0; round < 5; round += 1) {
      act(bidders, random);
      await watcher.untilInStep();
    }
  }
});
