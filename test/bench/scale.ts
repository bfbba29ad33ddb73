import { randomUUID } from "node:crypto";
import { startMariaDb } from "../support/databases/mariadb.ts";
import { type CommitmentsProcess, startCommitmentsProcess } from "../support/processes/commitments-process.ts";
import { openAuction, timed } from "./apply.ts";
import { type BenchTable, median } from "./support/bench-table.ts";
import { BidBook } from "./support/bid-book.ts";
import { residentBytes } from "./support/process-usage.ts";
import { amount } from "./support/quick.ts";

const LOAD_BATCH = 5_000;
const ROUNDS = amount(80, 2);
const WARM_UP_ROUNDS = amount(40, 1);
const MOST_RATIO = 1.3;
export const SMALL = { commitments: 1_000, ticks: 1_000 };
export const LARGE = amount({ commitments: 1_000_000, ticks: 100_000 }, { commitments: 2_000, ticks: 2_000 });

export interface BenchSale {
  readonly saleUuid: string;
  readonly size: typeof SMALL;
  readonly book: BidBook;
}

/** Compares applies and reads of a large sale with those of a small one, in alternating rounds on one durable MariaDB. */
export async function scaleBench(): Promise<BenchTable> {
  await using stack = new AsyncDisposableStack();
  const mariaDb = await startMariaDb({ durable: true, bufferPool: "4G" });
  stack.defer(() => mariaDb.stop());
  const service = await startCommitmentsProcess({ MYSQL_URL: await mariaDb.createDatabase("scale") });
  stack.defer(async () => void (await service.process.kill("SIGTERM")));
  const small = await loadSale(service, SMALL);
  const large = await loadSale(service, LARGE);
  const compared = [
    await compare("apply of 1 row", small, large, (sale) => applyBids(service, sale, 1)),
    await compare("apply of 10 rows", small, large, (sale) => applyBids(service, sale, 10)),
    await compare("GetCommitmentData", small, large, ({ saleUuid }) =>
      service.commitments.getCommitmentData({ saleUuid }),
    ),
  ];
  const service_ = Math.round((await residentBytes(service.process.pid)) / 2 ** 20);
  const database = Math.round((await residentBytes(mariaDb.pid)) / 2 ** 20);
  return {
    title: "A sale of 1,000,000 commitments at 100,000 ticks over one of 1,000 (durable MariaDB, 4 GB pool)",
    columns: ["operation", "ms at 1,000", "ms at 1,000,000", "ratio"],
    rows: compared.map(({ cells }) => cells),
    notes: [`memory: service ${service_} MiB, MariaDB ${database} MiB; medians of ${ROUNDS} rounds in turn`],
    required: compared.map(({ ratio, cells }) => ({ name: cells[0] ?? "", value: ratio, atMost: MOST_RATIO })),
  };
}

/** Opens an auction and fills it with the bids of as many entities. */
export async function loadSale(service: CommitmentsProcess, size: typeof SMALL): Promise<BenchSale> {
  const saleUuid = await openAuction(service);
  const book = new BidBook(size.ticks, size.commitments);
  for (let from = 0; from < size.commitments; from += LOAD_BATCH) {
    const upserts = book.bids(from, Math.min(LOAD_BATCH, size.commitments - from));
    await service.commitments.applyCommitments({ saleUuid, requestId: randomUUID(), upserts });
  }
  return { saleUuid, size, book };
}

/** Applies new bids of entities that are spread over the whole sale. */
async function applyBids(service: CommitmentsProcess, { saleUuid, size, book }: BenchSale, count: number) {
  const step = Math.floor(size.commitments / count);
  const first = Math.floor(Math.random() * step);
  const upserts = Array.from({ length: count }, (_, index) => book.bid(first + index * step));
  await service.commitments.applyCommitments({ saleUuid, requestId: randomUUID(), upserts });
}

async function compare(
  name: string,
  small: BenchSale,
  large: BenchSale,
  operation: (sale: BenchSale) => Promise<unknown>,
) {
  const times = { small: [] as number[], large: [] as number[] };
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
    const smallMs = await timed(() => operation(small));
    const largeMs = await timed(() => operation(large));
    if (round < 0) continue;
    times.small.push(smallMs);
    times.large.push(largeMs);
  }
  const ratio = median(times.large) / median(times.small);
  return { ratio, cells: [name, median(times.small).toFixed(2), median(times.large).toFixed(2), ratio.toFixed(3)] };
}
