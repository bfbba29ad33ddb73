import { randomUUID } from "node:crypto";
import { type Connection, createConnection } from "mysql2/promise";
import { commitmentDigest } from "../../common/sale/record/commitment-digest.ts";
import { recordOf } from "../../common/sale/record/commitment-message.ts";
import type { CommitmentRecord } from "../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import { Tenancy } from "../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { textOfAmounts } from "../../services/commitments/base/encoding.ts";
import { startMariaDb } from "../support/databases/mariadb.ts";
import { type CommitmentsProcess, startCommitmentsProcess } from "../support/processes/commitments-process.ts";
import { type BenchTable, median } from "./support/bench-table.ts";
import { BidBook, benchAuction } from "./support/bid-book.ts";
import { cpuMicros, residentBytes } from "./support/process-usage.ts";
import { amount } from "./support/quick.ts";

const BATCH = 500;
const ROUNDS = amount(30, 2);
const WARM_UP_ROUNDS = amount(20, 1);
const TICKS = 10_000;
/** A share of plain upserts. */
const LEAST_RATIO = 0.28;

/**
 * Compares `ApplyCommitments` in batches of 500 with a baseline: multi-row upserts of the same rows through mysql2 into a table
 * with the same columns and indexes. Both use one durable MariaDB, and their batches alternate.
 */
export async function applyBench(): Promise<BenchTable> {
  await using stack = new AsyncDisposableStack();
  const mariaDb = await startMariaDb({ durable: true, bufferPool: "4G" });
  stack.defer(() => mariaDb.stop());
  const service = await startCommitmentsProcess({ MYSQL_URL: await mariaDb.createDatabase("service") });
  stack.defer(async () => void (await service.process.kill("SIGTERM")));
  const bare = await bareTable(await mariaDb.createDatabase("bare"));
  stack.defer(() => bare.end());
  const saleUuid = await openAuction(service);
  const fresh = await alternateBatches(service, bare, saleUuid, new BidBook(TICKS, 1));
  const again = await alternateBatches(service, bare, saleUuid, new BidBook(TICKS, 2));
  const memory = Math.round((await residentBytes(service.process.pid)) / 2 ** 20);
  return {
    title: `ApplyCommitments, batches of ${BATCH}, compared with plain upserts of the same rows (durable MariaDB, 4 GB pool)`,
    columns: ["rows", "baseline rows/s", "service rows/s", "ratio", "service CPU µs/row"],
    rows: [
      ["new", ...fresh.cells],
      ["bid again", ...again.cells],
    ],
    notes: [
      `service memory ${memory} MiB; ${TICKS.toLocaleString("en")} ticks, two wallets and tokens a row; medians of ${ROUNDS} rounds`,
    ],
    required: [
      { name: "ratio of new rows", value: fresh.ratio, atLeast: LEAST_RATIO },
      { name: "ratio of bids again", value: again.ratio, atLeast: LEAST_RATIO },
    ],
  };
}

export async function openAuction({ sales }: CommitmentsProcess): Promise<string> {
  const saleUuid = randomUUID();
  await sales.createSale({ saleUuid, tenancy: Tenancy.TEST, definition: benchAuction() });
  await sales.openSale({ saleUuid });
  return saleUuid;
}

async function alternateBatches(service: CommitmentsProcess, bare: Connection, saleUuid: string, book: BidBook) {
  const times = { bare: [] as number[], service: [] as number[] };
  let cpuBefore = 0;
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
    if (round === WARM_UP_ROUNDS) cpuBefore = await cpuMicros(service.process.pid);
    const upserts = book.bids(round * BATCH, BATCH);
    const rows = bareRows(saleUuid, upserts);
    const bareMs = await timed(() => bare.query(UPSERT, [rows]));
    const serviceMs = await timed(() =>
      service.commitments.applyCommitments({ saleUuid, requestId: randomUUID(), upserts }),
    );
    if (round < WARM_UP_ROUNDS) continue;
    times.bare.push(bareMs);
    times.service.push(serviceMs);
  }
  const cpu = ((await cpuMicros(service.process.pid)) - cpuBefore) / (ROUNDS * BATCH);
  const rate = (millis: readonly number[]) => (BATCH * 1_000) / median(millis);
  const ratio = median(times.bare.map((millis, index) => millis / (times.service[index] ?? Number.NaN)));
  return {
    ratio,
    cells: [rate(times.bare).toFixed(0), rate(times.service).toFixed(0), ratio.toFixed(3), cpu.toFixed(1)],
  };
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

export const COMMITMENT_COLUMNS = [
  "sale",
  "commitment_id",
  "entity_id",
  "created_neg",
  "price_tick",
  "lockup",
  "refunded",
  "standing",
  "amount",
  "amounts",
  "extra_data",
  "source_index",
  "digest",
];
const UPSERT = `insert into commitment (${COMMITMENT_COLUMNS.join(", ")}) values ? on duplicate key update ${COMMITMENT_COLUMNS.slice(
  2,
)
  .map((column) => `${column} = values(${column})`)
  .join(", ")}`;

/** Creates a table like the service's in a database of its own. */
async function bareTable(url: string): Promise<Connection> {
  const connection = await createConnection({ uri: url, supportBigNumbers: true });
  await connection.query("create table commitment like service.commitment");
  await connection.query("set session transaction isolation level read committed");
  return connection;
}

/** The rows to insert, with the values of `COMMITMENT_COLUMNS`. */
export function bareRows(saleUuid: string, upserts: readonly CommitmentRecord[]): unknown[][] {
  const sale = Buffer.from(saleUuid.replaceAll("-", ""), "hex");
  return upserts.map((message) => {
    const record = recordOf(message);
    const tick = Buffer.alloc(8);
    tick.writeBigUInt64BE(record.priceTicks);
    return [
      sale,
      Buffer.from(record.commitmentId, "hex"),
      Buffer.from(record.entityId, "hex"),
      -record.createdAtSeconds,
      tick,
      0,
      0,
      1,
      record.amounts.reduce((sum, { amount }) => sum + amount, 0n).toString(),
      textOfAmounts(record.amounts),
      Buffer.alloc(0),
      record.sourceIndex,
      Buffer.from(commitmentDigest(record), "hex"),
    ];
  });
}
