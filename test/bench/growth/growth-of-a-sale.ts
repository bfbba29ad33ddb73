import { randomUUID } from "node:crypto";
import { type Connection, createConnection, type RowDataPacket } from "mysql2/promise";
import { startMariaDb } from "../../support/databases/mariadb.ts";
import { type CommitmentsProcess, startCommitmentsProcess } from "../../support/processes/commitments-process.ts";
import { openAuction } from "../apply.ts";
import { BidBook } from "../support/bid-book.ts";
import { cpuMicros, residentBytes } from "../support/process-usage.ts";
import { amount } from "../support/quick.ts";
import type { GrowthFigures } from "./growth.ts";

const ROWS = amount([3_000, 30_000, 300_000], [100, 200, 400]);
const LOAD_BATCH = 5_000;
const TICKS = 10_000;
/** Changes of ten rows each, and reads. */
const ROUNDS = amount(200, 3);
const ROWS_A_CHANGE = 10;
const MOST_STATEMENTS = 1.3;

/** Grows one sale, and measures a change of ten rows, and a read, at three sizes. */
export async function growthOfASale(): Promise<GrowthFigures> {
  await using stack = new AsyncDisposableStack();
  const mariaDb = stack.adopt(await startMariaDb({ bufferPool: "1G" }), (server) => server.stop());
  const url = await mariaDb.createDatabase("growth");
  const database = stack.adopt(await createConnection(url), (connection) => connection.end());
  const service = await startCommitmentsProcess({ MYSQL_URL: url });
  stack.defer(async () => void (await service.process.kill("SIGTERM")));
  const saleUuid = await openAuction(service);
  const bids = new BidBook(TICKS, 1);
  const columns: { readonly statements: readonly number[]; readonly cells: readonly string[] }[] = [];
  let rows = 0;
  for (const size of ROWS) {
    for (; rows < size; rows += Math.min(LOAD_BATCH, size - rows)) {
      const upserts = bids.bids(rows, Math.min(LOAD_BATCH, size - rows));
      await service.commitments.applyCommitments({ saleUuid, requestId: randomUUID(), upserts });
    }
    const change = await perRound({ service, database }, async (round) => {
      const step = Math.floor(size / ROWS_A_CHANGE);
      const upserts = Array.from({ length: ROWS_A_CHANGE }, (_, index) => bids.bid(index * step + (round % step)));
      await service.commitments.applyCommitments({ saleUuid, requestId: randomUUID(), upserts });
    });
    const read = await perRound({ service, database }, () => service.commitments.getCommitmentData({ saleUuid }));
    const memory = (await residentBytes(service.process.pid)) / 2 ** 20;
    columns.push({
      statements: [change.statements, read.statements],
      cells: [
        size.toLocaleString("en"),
        change.statements.toFixed(1),
        change.cpuMs.toFixed(1),
        read.statements.toFixed(1),
        read.cpuMs.toFixed(1),
        memory.toFixed(0),
      ],
    });
  }
  const names = [
    "commitments in one sale",
    `  SQL statements a change of ${ROWS_A_CHANGE} rows`,
    "  CPU ms a change",
    "  SQL statements a read",
    "  CPU ms a read",
    "  MiB, commitments",
  ];
  const [first, last] = [columns[0]?.statements, columns.at(-1)?.statements];
  const ratio = (index: number) => (last?.[index] ?? Number.NaN) / (first?.[index] ?? Number.NaN);
  return {
    rows: names.map((name, row) => [name, ...columns.map(({ cells }) => cells[row] ?? "")]),
    notes: [`One sale: ${ROUNDS} changes and ${ROUNDS} reads by RPC at each size, one after another.`],
    required: [
      { name: "statements a change, large over small", value: ratio(0), atMost: MOST_STATEMENTS },
      { name: "statements a read, large over small", value: ratio(1), atMost: MOST_STATEMENTS },
    ],
  };
}

interface Measured {
  readonly service: CommitmentsProcess;
  readonly database: Connection;
}

async function perRound({ service, database }: Measured, work: (round: number) => Promise<unknown>) {
  const [statementsBefore, cpuBefore] = [await statementsOf(database), await cpuMicros(service.process.pid)];
  for (let round = 0; round < ROUNDS; round++) await work(round);
  const [statements, cpu] = [await statementsOf(database), await cpuMicros(service.process.pid)];
  return { statements: (statements - statementsBefore) / ROUNDS, cpuMs: (cpu - cpuBefore) / 1_000 / ROUNDS };
}

async function statementsOf(database: Connection): Promise<number> {
  const [rows] = await database.query<RowDataPacket[]>("show global status like 'Questions'");
  return Number(rows[0]?.["Value"]);
}
