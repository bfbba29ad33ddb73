import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { createConnection } from "mysql2/promise";
import { connect, type JetStreamClient } from "nats";
import { PARTITIONS } from "../../../services/commitments/outbox/partitions.ts";
import { startMariaDb } from "../../support/databases/mariadb.ts";
import { startCommitmentsProcess } from "../../support/processes/commitments-process.ts";
import { startNats } from "../../support/processes/nats.ts";
import { flatness } from "../../support/repository/flatness.ts";
import { EVENT_BYTES } from "../latency/bare-updates.ts";
import type { BenchTable } from "../support/bench-table.ts";
import { amount } from "../support/quick.ts";
import { CommittedChanges } from "./committed-changes.ts";

const PROCESSES = 2;
const SALES = amount(200, 20);
const WARM_UP_CHANGES = amount(10_000, 100);
const BARE_SECONDS = amount(3, 1);
const SECONDS = amount(9, 2);
/** Parts of the bare rate that are tried one after another, until the backlog grows. */
const PARTS = amount([0.5, 0.6, 0.7, 0.8, 0.9, 1], [0.1]);
const SAMPLE_MS = 200;
/** Growth of the backlog that isn't counted as such: a part of the changes of one second. */
const SLACK_SECONDS = 0.1;
/** The least ratio: a half, less what is lost where the last transaction of the writer comes a moment too late to count. */
const LEAST_RATIO = 0.49;
const DRAINED = amount(30_000, 500);

/**
 * Measures how many committed changes a second two commitments services publish while their backlog stays as it is. The baseline
 * is a client of JetStream that does nothing but publish events of the same size, with one in flight for each sale. Both use one
 * NATS server. About two minutes.
 */
export async function relayBench(): Promise<BenchTable> {
  await using stack = new AsyncDisposableStack();
  const mariaDb = await startMariaDb({ durable: true, bufferPool: "1G" });
  stack.defer(() => mariaDb.stop());
  const nats = await startNats();
  stack.defer(() => nats.stop());
  const mysqlUrl = await mariaDb.createDatabase("relay");
  for (let index = 0; index < PROCESSES; index++) {
    const service = await startCommitmentsProcess({ MYSQL_URL: mysqlUrl, NATS_URL: nats.url });
    stack.defer(async () => void (await service.process.kill("SIGTERM")));
  }
  await sharedEvenly(mysqlUrl);
  const connection = await connect({ servers: nats.url });
  stack.defer(() => connection.close());
  await (await connection.jetstreamManager()).streams.add({ name: "BARE", subjects: ["bare.>"] });
  const changes = await CommittedChanges.open(
    mysqlUrl,
    connection,
    Array.from({ length: SALES }, () => randomUUID()),
  );
  stack.defer(() => changes.close());

  const stream = connection.jetstream();
  await changes.commit(WARM_UP_CHANGES);
  await drained(changes);
  await publishBare(stream);
  const rows: string[][] = [];
  let best = 0;
  for (const part of PARTS) {
    const bare = await publishBare(stream);
    const { rate, middle, last, isFlat } = await publishCommitted(changes, part * bare);
    const ratio = rate / bare;
    rows.push([`${rate.toFixed(0)}/s`, `${bare.toFixed(0)}/s`, ratio.toFixed(2), `${middle} → ${last}`]);
    if (!isFlat) break;
    best = ratio;
    await drained(changes);
  }
  await drained(changes);
  const bare = await publishBare(stream);
  const drainRate = await drain(changes);
  rows.push([`${drainRate.toFixed(0)}/s`, `${bare.toFixed(0)}/s`, (drainRate / bare).toFixed(2), `${DRAINED} → 0`]);
  return {
    title: `Changes that ${PROCESSES} commitments services publish, ${SALES} sales, over bare publishes to JetStream`,
    columns: ["changes", "bare", "ratio", "backlog, middle → last third"],
    rows,
    notes: [
      `Best ratio with a flat backlog: ${best.toFixed(2)} (required ${LEAST_RATIO}). Changes are rows of the outbox in a durable MariaDB, read, published and marked; one event in flight for each sale in both.`,
      "Last row: a backlog that was there before. Clients, services, database and NATS share the machine.",
    ],
    required: [{ name: "best ratio with a flat backlog", value: best, atLeast: LEAST_RATIO }],
  };
}

/** Waits until each process holds its share of the partitions. */
async function sharedEvenly(mysqlUrl: string): Promise<void> {
  const connection = await createConnection({ uri: mysqlUrl });
  const query = "select count(*) as held from outbox_relay where name like 'outbox/%' and until_ms > 0 group by holder";
  for (;;) {
    const [rows] = await connection.query(query);
    const held = (rows as { held: number }[]).map((row) => Number(row.held));
    if (held.length === PROCESSES && held.every((count) => count === PARTITIONS / PROCESSES)) break;
    await delay(SAMPLE_MS);
  }
  await connection.end();
}

/** @returns publishes a second */
async function publishBare(stream: JetStreamClient): Promise<number> {
  const payload = randomBytes(EVENT_BYTES);
  const begin = performance.now();
  let published = 0;
  const publishSale = async () => {
    const subject = `bare.${randomUUID()}`;
    for (let revision = 0; performance.now() - begin < BARE_SECONDS * 1_000; revision++) {
      await stream.publish(subject, payload, { msgID: `${subject}:${revision}` });
      published++;
    }
  };
  await Promise.all(Array.from({ length: SALES }, publishSale));
  return (published * 1_000) / (performance.now() - begin);
}

/** Commits changes at a rate, and samples the backlog meanwhile. */
async function publishCommitted(changes: CommittedChanges, perSecond: number) {
  const begin = performance.now();
  const backlogs: number[] = [];
  const ended = new AbortController();
  const sample = async () => {
    while (!ended.signal.aborted) {
      await delay(SAMPLE_MS);
      backlogs.push(await changes.backlog());
    }
  };
  const sampling = sample();
  const committed = await changes.commitFor(SECONDS, perSecond);
  const rate = (committed * 1_000) / (performance.now() - begin);
  ended.abort();
  await sampling;
  return { rate, ...flatness(backlogs, 0.1, SLACK_SECONDS * perSecond) };
}

/** @returns changes a second */
async function drain(changes: CommittedChanges): Promise<number> {
  await changes.commit(DRAINED);
  const [begin, left] = [performance.now(), await changes.backlog()];
  await drained(changes);
  return (left * 1_000) / (performance.now() - begin);
}

async function drained(changes: CommittedChanges): Promise<void> {
  while ((await changes.backlog()) > 0) await delay(SAMPLE_MS / 10);
}
