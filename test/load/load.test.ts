import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findAnvil } from "../../services/demo/chain/find-anvil.ts";
import { runUntilDone } from "../faults/support/run-until-done.ts";
import { TestChain } from "../support/chains/test-chain.ts";
import { findProgram } from "../support/processes/program.ts";
import { SOON } from "../support/repository/polling.ts";
import { openedSale } from "../support/sales/sale-messages.ts";
import { startDeployment } from "../upgrade/support/deployment.ts";
import { Load } from "../upgrade/support/load.ts";
import { INSPECTED } from "./support/inspector.ts";
import { flatRows, intervalRow } from "./support/load-report.ts";
import { mixedWork } from "./support/mixed-work.ts";
import { ProcessWatch } from "./support/process-watch.ts";

/** Duration of the test, which `npm run test:load` sets. */
const MINUTES = Number(process.env["LOAD_MINUTES"] ?? 0);
/** Duration from which the first third of a run is enough to warm up, so that growth after it is a leak. */
const MIN_JUDGED_MINUTES = 3;

const SAMPLE_MS = 2_000;
/** The number of times in a run that heaps are measured and lines are printed. */
const INTERVALS = 12;
const WARM_UP_MS = 15_000;
/** The number of connections that may come and go by themselves, like those of a pool. */
const DESCRIPTOR_SLACK = 8;

const missing = ["mariadbd", "nats-server"].filter((name) => findProgram(name) === undefined);
if (findAnvil() === undefined) missing.push("anvil");
if (MINUTES === 0) missing.push("npm run test:load");

let stack: AsyncDisposableStack;
beforeEach(() => {
  stack = new AsyncDisposableStack();
});
afterEach(() => stack.disposeAsync());

describe.skipIf(missing.length > 0)(`load (${missing.join(", ") || "nothing is missing"})`, () => {
  it(`of ${MINUTES} minutes doesn't increase memory, descriptors or listeners`, async () => {
    const deployment = await startDeployment(stack, { replicas: 1, env: INSPECTED });
    const { clients } = deployment;
    const load = new Load(deployment, await openedSale(clients));
    const work = await mixedWork(deployment, load, await TestChain.connect(deployment.anvil));
    const watches = await Promise.all(
      (["gateway", "commitments", "auth", "indexer", "entities"] as const).map(async (name) =>
        stack.use(await ProcessWatch.start(name, deployment[name].oldest)),
      ),
    );

    await runUntilDone(() => delay(WARM_UP_MS), work());
    const before = await settled(watches);
    await runUntilDone(() => sampleAll(watches), work());
    console.log(load.summary);
    for (const { rows, isFlat } of watches.map(flatRows)) {
      for (const row of rows) console.log(row);
      if (MINUTES >= MIN_JUDGED_MINUTES) expect.soft(isFlat, rows.join("\n")).toBe(true);
    }
    for (const [index, watch] of watches.entries()) {
      expect.soft(watch.leakWarning, watch.name).toBeUndefined();
      const { openDescriptors = 0, activeResources = 0 } = before[index] ?? {};
      const low = {
        openDescriptors: openDescriptors + DESCRIPTOR_SLACK,
        activeResources: activeResources + DESCRIPTOR_SLACK,
      };
      await expect.poll(() => isAtMost(watch, low), SOON).toBe(true);
      const after = await watch.now();
      console.log(
        `${watch.name}: descriptors ${openDescriptors} before, ${after.openDescriptors} after; ` +
          `active resources ${activeResources} before, ${after.activeResources} after`,
      );
    }
  });
});

async function sampleAll(watches: readonly ProcessWatch[]): Promise<void> {
  const begin = performance.now();
  const runMs = MINUTES * 60_000;
  const intervalMs = runMs / INTERVALS;
  for (let interval = 1; interval <= INTERVALS; interval++) {
    do {
      await delay(SAMPLE_MS);
      await Promise.all(watches.map((watch) => watch.sample()));
    } while (performance.now() - begin < interval * intervalMs);
    for (const watch of watches) await watch.endInterval();
    const seconds = Math.round((performance.now() - begin) / 1_000);
    for (const watch of watches) console.log(`${seconds} s ${intervalRow(watch)}`);
  }
}

/** Waits until unused connections are closed. @returns a sample of each process */
async function settled(watches: readonly ProcessWatch[]) {
  let last = -1;
  await expect
    .poll(
      async () => {
        const samples = await Promise.all(watches.map((watch) => watch.now()));
        const sum = samples.reduce((total, { openDescriptors }) => total + openDescriptors, 0);
        const isSame = sum === last;
        last = sum;
        return isSame;
      },
      { ...SOON, interval: 6_000 },
    )
    .toBe(true);
  return Promise.all(watches.map((watch) => watch.now()));
}

async function isAtMost(
  watch: ProcessWatch,
  bound: { readonly openDescriptors: number; readonly activeResources: number },
): Promise<boolean> {
  const { openDescriptors, activeResources } = await watch.now();
  return openDescriptors <= bound.openDescriptors && activeResources <= bound.activeResources;
}
