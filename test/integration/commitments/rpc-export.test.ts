import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, expect, it, vi } from "vitest";
import type { ExportCommitmentsResponse } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { describeEachDatabase } from "../../support/databases/databases.ts";
import {
  type CommitmentsClients,
  describeCommitments,
  startCommitments,
} from "../../support/processes/commitments-fixture.ts";
import { POLL_TIMEOUT_MS, SOON } from "../../support/repository/polling.ts";
import {
  amountOf,
  apply,
  auction,
  draftSale,
  idBytes,
  numberOf,
  openedSale,
  record,
  refusal,
} from "../../support/sales/sale-messages.ts";

/** Long enough for an export to begin on a slow machine. */
const BREAK_OFF_MS = 4_000;
/** More than two messages. */
const ROWS = 450;

async function partsOf(call: AsyncIterable<ExportCommitmentsResponse>) {
  const parts = [];
  for await (const { part } of call) parts.push(part);
  return parts;
}

/** Begins an export and cancels its call: a service that stops waits ten seconds for one that is merely not read. */
async function beginAndLeave(commitments: CommitmentsClients["commitments"], saleUuid: string) {
  const leaving = new AbortController();
  const call = commitments.exportCommitments({ saleUuid }, { signal: leaving.signal });
  try {
    await call[Symbol.asyncIterator]().next();
  } finally {
    leaving.abort();
  }
}

function numbersIn(parts: readonly ExportCommitmentsResponse["part"][]): number[] {
  return parts.flatMap((part) =>
    part.case === "commitments"
      ? part.value.commitments.map(({ record: row }) => numberOf(row?.commitmentId ?? new Uint8Array(32)))
      : [],
  );
}

describeCommitments("ExportCommitments", (service) => {
  const exportOf = (saleUuid: string) => partsOf(service().commitments.exportCommitments({ saleUuid }));

  it("sends the number of commitments, then all of them by ID, including those that don't count", async () => {
    const saleUuid = await openedSale(service());
    const upserts = Array.from({ length: ROWS }, (_, number) => record(number, { refunded: number % 2 === 0 }));
    const { revision } = await apply(service(), saleUuid, { upserts });
    const parts = await exportOf(saleUuid);
    expect(parts[0]).toMatchObject({ case: "header", value: { revision, commitmentCount: BigInt(ROWS) } });
    expect(numbersIn(parts)).toEqual(Array.from({ length: ROWS }, (_, number) => number));
    const listed = parts.flatMap((part) => (part.case === "commitments" ? part.value.commitments : []));
    expect(listed.map(({ active }) => active)).toEqual(upserts.map(({ refunded }) => !refunded));
    expect(parts).toHaveLength(1 + 3);
  });

  it("shows one revision, whatever changes while it is read", async () => {
    const saleUuid = await openedSale(service());
    const upserts = Array.from({ length: ROWS }, (_, number) => record(2 * number));
    await apply(service(), saleUuid, { upserts });
    const parts = [];
    for await (const { part } of service().commitments.exportCommitments({ saleUuid })) {
      parts.push(part);
      if (part.case !== "header") continue;
      // New, changed and removed commitments, all of them after the rows that were read.
      await apply(service(), saleUuid, {
        upserts: [record(801), record(803), record(898, { amounts: [amountOf(7n)] })],
        removals: [idBytes(896)],
      });
    }
    expect(numbersIn(parts)).toEqual(upserts.map((_, number) => 2 * number));
    const amounts = parts.flatMap((part) => (part.case === "commitments" ? part.value.commitments : []));
    expect(new Set(amounts.map(({ amount }) => amount))).toEqual(new Set(["1000"]));
    expect(numbersIn(await exportOf(saleUuid))).toContain(803);
  });

  it("is empty for a sale without commitments, and refused for one that can't be read", async () => {
    const parts = await exportOf(await openedSale(service()));
    expect(parts).toMatchObject([{ case: "header", value: { commitmentCount: 0n } }]);
    expect((await refusal(exportOf(randomUUID()))).code).toBe("not_found");
    expect((await refusal(exportOf(await draftSale(service(), auction())))).code).toBe("not_found");
    expect((await refusal(exportOf("1"))).code).toBe("invalid_argument");
  });

  it("holds no text that a spreadsheet would take for a formula", async () => {
    const saleUuid = await openedSale(service());
    for (const text of ["=1+1", "+1", "-1", "@a", "\t=1", "'a"]) {
      for (const amount of [
        { ...amountOf(1n), wallet: text },
        { ...amountOf(1n), token: text },
        { ...amountOf(1n), amount: text },
      ]) {
        const call = apply(service(), saleUuid, { upserts: [record(1, { amounts: [amount] })] });
        expect((await refusal(call)).code).toBe("invalid_argument");
      }
    }
  });

  it("is for operators and people only", async () => {
    const saleUuid = await openedSale(service());
    const as = (caller: "gateway" | "indexer") =>
      refusal(partsOf(service().as(caller).commitments.exportCommitments({ saleUuid })));
    expect((await as("gateway")).code).toBe("unauthenticated");
    expect((await as("indexer")).code).toBe("permission_denied");
  });
});

describeEachDatabase("exports of a process", ({ create }) => {
  let stop: (() => Promise<void>) | undefined;
  afterEach(async () => {
    await stop?.();
    stop = undefined;
  });

  async function start(bounds: { exportMaxStreams: number; exportMaxMs: number }) {
    const database = await create();
    const service = await startCommitments(database, bounds);
    stop = async () => {
      await service.stop();
      await database.remove();
    };
    const saleUuid = await openedSale(service);
    // Larger than the connection's buffers for an idle reader.
    const extraData = new Uint8Array(65_536);
    for (let first = 0; first < 300; first += 100) {
      const upserts = Array.from({ length: 100 }, (_, number) => record(first + number, { extraData }));
      await apply(service, saleUuid, { upserts });
    }
    return { saleUuid, commitments: service.commitments };
  }

  it("end when their readers go, and only then is there room for others", async () => {
    const { saleUuid, commitments } = await start({ exportMaxStreams: 1, exportMaxMs: POLL_TIMEOUT_MS });
    const leaving = new AbortController();
    const reader = commitments.exportCommitments({ saleUuid }, { signal: leaving.signal })[Symbol.asyncIterator]();
    await reader.next();
    const begin = () => beginAndLeave(commitments, saleUuid);
    expect((await refusal(begin())).code).toBe("resource_exhausted");
    leaving.abort();
    await vi.waitFor(begin, SOON);
  });

  it("are ended when their time is over, even if the reader takes nothing", async () => {
    const { saleUuid, commitments } = await start({ exportMaxStreams: 1, exportMaxMs: BREAK_OFF_MS });
    const reader = commitments.exportCommitments({ saleUuid })[Symbol.asyncIterator]();
    await reader.next();
    // There is room for another one as soon as the first has ended, though its reader still has its connection.
    await vi.waitFor(() => beginAndLeave(commitments, saleUuid), SOON);
    const rest = (async () => {
      while (!(await reader.next()).done) await wait(0);
    })();
    expect((await refusal(rest)).code).toBe("deadline_exceeded");
  });
});
