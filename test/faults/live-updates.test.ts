import { randomInt } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readBacklog } from "../../services/commitments/outbox/unpublished-updates.ts";
import { Random } from "../../services/demo/bidders/random.ts";
import { findProgram } from "../support/processes/program.ts";
import { ConcurrentFaults } from "./support/concurrent-faults.ts";
import { keptUpdates, revisionsBySale } from "./support/kept-updates.ts";
import { type LiveDeployment, startLiveDeployment } from "./support/live-deployment.ts";
import { liveFaults } from "./support/live-faults.ts";
import { LiveSales } from "./support/live-sales.ts";
import { runUntilDone } from "./support/run-until-done.ts";
import {
  expectAddedUp,
  expectFigures,
  expectGapless,
  expectServed,
  expectShown,
  SETTLED,
} from "./support/shown-everywhere.ts";
import { StreamAudience } from "./support/stream-audience.ts";

const MINUTE_MS = 60_000;
/** `FAULT_SEED` repeats the choices of a run that was printed. */
const SEED = Number(process.env["FAULT_SEED"] ?? randomInt(2 ** 31));
/** `npm run test:faults` sets `FAULT_MINUTES`. */
const FAULTS_MS = Number(process.env["FAULT_MINUTES"] ?? (process.env["TEST_LONG"] === "1" ? 2 : 0.5)) * MINUTE_MS;
const TIMEOUT_MS = FAULTS_MS + 15 * MINUTE_MS;

let stack: AsyncDisposableStack;
beforeEach(() => {
  stack = new AsyncDisposableStack();
});
afterEach(() => stack.disposeAsync());

const missing = ["mariadbd", "nats-server"].filter((name) => findProgram(name) === undefined);

describe.skipIf(missing.length > 0)(`live updates (${missing.join(", ") || "mariadbd, nats-server"})`, () => {
  it(
    `are neither lost nor taken back whatever fails (FAULT_SEED=${SEED})`,
    async () => {
      const random = new Random(SEED);
      const deployment = await startLiveDeployment(stack);
      const sales = await LiveSales.open(deployment, random);
      const faults = new ConcurrentFaults(liveFaults(deployment, random), random);
      const audience = new StreamAudience(deployment.gateways, sales.ledgers, random);
      await runUntilDone(async (over) => {
        await runUntilDone((stop) => faults.run(FAULTS_MS, AbortSignal.any([over, stop])), sales.writers);
        console.log(`FAULT_SEED=${SEED}: ${sales.summary}; faults: ${faults.summary}`);
        await expectPublished(deployment, sales);
        const { gateways } = deployment;
        await expectServed(gateways, sales.lastRevisions, over);
        await expectFigures(gateways, sales.ledgers);
        await expectShown(gateways[0], audience, sales.lastRevisions, over);
      }, audience.followers);
      console.log(audience.summary);
      await expectAddedUp(deployment.database, sales.lastRevisions.keys());
      expectGapless(sales.ledgers);
    },
    TIMEOUT_MS,
  );
});

/** Waits until the stream has every revision, in order apart from repeats. */
async function expectPublished({ database, nats }: LiveDeployment, sales: LiveSales): Promise<void> {
  await expect.poll(async () => (await readBacklog(database)).rows, SETTLED).toBe(0);
  const last = [...sales.lastRevisions];
  const all = new Map(
    last.map(([saleUuid, revision]) => [
      saleUuid,
      Array.from({ length: Number(revision) - 1 }, (_, index) => BigInt(index) + 2n),
    ]),
  );
  let updates: Awaited<ReturnType<typeof keptUpdates>> = [];
  const published = async () => {
    updates = await keptUpdates(nats.url);
    return revisionsBySale(updates);
  };
  await expect.poll(published, SETTLED).toEqual(all);
  const distinct = last.reduce((sum, [, revision]) => sum + Number(revision) - 1, 0);
  console.log(`${distinct} revisions published, ${updates.length - distinct} repeats`);
}
