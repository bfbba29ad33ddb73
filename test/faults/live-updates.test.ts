import { randomInt } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readBacklog } from "../../services/commitments/store/unpublished.ts";
import { Random } from "../../services/demo/random.ts";
import { findProgram } from "../support/program.ts";
import { sumsFromRows, sumsStored } from "../support/tick-sums.ts";
import { FaultStorm } from "./support/fault-storm.ts";
import { keptUpdates, revisionsBySale } from "./support/kept-updates.ts";
import { LiveDeployment } from "./support/live-deployment.ts";
import { liveFaults } from "./support/live-faults.ts";
import { LiveSales } from "./support/live-sales.ts";
import { runUntilDone } from "./support/run-until-done.ts";
import { figuresExpected, figuresPublic, type PublicFigures } from "./support/shown-figures.ts";
import { StreamAudience } from "./support/stream-audience.ts";

const MINUTE_MS = 60_000;
/** `FAULT_SEED` repeats the choices of a run that was printed. */
const SEED = Number(process.env["FAULT_SEED"] ?? randomInt(2 ** 31));
/** `FAULT_MINUTES` is what `npm run test:faults` sets. */
const STORM_MS = Number(process.env["FAULT_MINUTES"] ?? (process.env["TEST_LONG"] === "1" ? 2 : 0.5)) * MINUTE_MS;
/** For everything to be up to date once all is well again; only what hangs takes so long. */
const SETTLED = { timeout: 5 * MINUTE_MS, interval: 200 };
const TIMEOUT_MS = STORM_MS + 15 * MINUTE_MS;

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
      const deployment = await LiveDeployment.start(stack);
      const sales = await LiveSales.open(deployment, random);
      const storm = new FaultStorm(liveFaults(deployment, random), random);
      const audience = new StreamAudience(deployment.gateways, sales.ledgers, random);
      const checks = { deployment, sales, audience };
      await runUntilDone(async (over) => {
        await runUntilDone((stop) => storm.rage(STORM_MS, AbortSignal.any([over, stop])), sales.writers);
        console.log(`FAULT_SEED=${SEED}: ${sales.summary}; faults: ${storm.summary}`);
        await expectPublished(checks);
        await expectServed(checks, over);
        await expectShown(checks, over);
      }, audience.followers);
      console.log(audience.summary);
      await expectAddedUp(checks);
    },
    TIMEOUT_MS,
  );
});

interface Checks {
  readonly deployment: LiveDeployment;
  readonly sales: LiveSales;
  readonly audience: StreamAudience;
}

/** Every revision is in the stream, once repeats are dropped in the order in which they were made. */
async function expectPublished({ deployment: { database, nats }, sales }: Checks): Promise<void> {
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

/** Every gateway answers with the last revision, and with the figures that the applies add up to. */
async function expectServed({ deployment: { gateways }, sales }: Checks, over: AbortSignal): Promise<void> {
  for (const ledger of sales.ledgers) {
    const expected = figuresExpected(ledger.replay(() => {}));
    const last = sales.lastRevisions.get(ledger.saleUuid);
    for (const gateway of gateways) {
      const revision = async () => {
        over.throwIfAborted();
        return BigInt((await gateway.get(ledger.saleUuid)).headers.get("etag")?.match(/-(\d+)"$/)?.[1] ?? 0);
      };
      await expect.poll(revision, SETTLED).toBe(last);
      const body = (await (await gateway.get(ledger.saleUuid)).json()) as PublicFigures;
      expect(figuresPublic(body)).toEqual(expected);
    }
  }
}

/** Every stream, each of which has gone on by itself, has come to the body that the gateways answer with. */
async function expectShown({ deployment: { gateways }, sales, audience }: Checks, over: AbortSignal): Promise<void> {
  const isBehind = () => {
    over.throwIfAborted();
    return audience.behind(sales.lastRevisions);
  };
  await expect.poll(isBehind, SETTLED).toEqual([]);
  for (const { saleUuid } of sales.ledgers) {
    const served = await (await gateways[0].get(saleUuid)).json();
    for (const shown of audience.bodies(saleUuid)) expect(shown).toEqual(served);
  }
}

/** The sums that the services keep are those of the rows, and the revisions are those that were acknowledged. */
async function expectAddedUp({ deployment: { database }, sales }: Checks): Promise<void> {
  for (const { saleUuid, entries } of sales.ledgers) {
    expect(await sumsStored(database, saleUuid)).toEqual(await sumsFromRows(database, saleUuid));
    const revisions = entries.map(({ revision }) => revision);
    expect(revisions).toEqual(revisions.map((_, index) => BigInt(index) + 3n));
  }
}
