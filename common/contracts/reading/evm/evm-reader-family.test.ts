import { describe, expect, it } from "vitest";
import { type FakeLog, rowLog, type SaleRow, saleRow } from "../../../../test/support/chains/evm-chain.ts";
import { expectUpToDate, ReaderFixture, raised } from "../../../../test/support/chains/evm-reader-fixture.ts";
import type { EvmFamily } from "../../evm-family.ts";
import { REFERENCE_FAMILY } from "../../reference/evm/reference-family.ts";

const BID = `0x${"b1d0".repeat(16)}`;
const EXIT = `0x${"e817".repeat(16)}`;

/** A family whose rows are numbered bids, several of an owner, with logs that name their numbers. */
const NUMBERED: EvmFamily = {
  ...REFERENCE_FAMILY,
  logs: {
    topics: [BID, EXIT],
    meaningOf: ([topic, number]) =>
      (topic === BID || topic === EXIT) && number !== undefined
        ? { kind: "row", commitmentId: number.slice(2) }
        : { kind: "unknown" },
    namedId: ({ commitmentId }) => commitmentId,
    topicsOf: ({ commitmentId }) => [[BID, EXIT], `0x${commitmentId}`],
  },
};

/** The bid of a number. One owner has them all. */
function bid(number: number): SaleRow {
  return saleRow(1, { commitmentId: number.toString(16).padStart(64, "0") });
}

function bids(count: number): readonly SaleRow[] {
  return Array.from({ length: count }, (_, number) => bid(number));
}

function logOf({ commitmentId }: SaleRow, topic: string = BID): FakeLog {
  return { topics: [topic, `0x${commitmentId}`] };
}

/** A contract of the family with 20 bids that were read once. */
async function readBids(): Promise<ReaderFixture> {
  const fixture = await ReaderFixture.start({}, {}, NUMBERED);
  const rows = bids(20);
  fixture.chain.mine(
    { rows },
    rows.map((row) => logOf(row)),
  );
  expect(await fixture.read()).toMatchObject({ kind: "sweep", count: 20n });
  return fixture;
}

describe("a contract of another family", () => {
  it("is read by the bids that its logs name, though one owner has them all", async () => {
    await using fixture = await readBids();
    const { chain } = fixture;
    const left = { ...raised(bid(7), 5n), refunded: true };
    chain.mine({ rows: bids(21).with(7, left) }, [logOf(left, EXIT), logOf(bid(20))]);
    const snapshot = await fixture.read();
    expect(snapshot).toMatchObject({ kind: "partial", count: 21n });
    expect(snapshot?.rowsRead()).toBe(2n);
    expectUpToDate(fixture);
  });

  it("is read by its logs on both sides of a fork, where bids of one side are gone on the other", async () => {
    await using fixture = await readBids();
    const { chain } = fixture;
    chain.mine({ rows: bids(22) }, [logOf(bid(20)), logOf(bid(21))]);
    await fixture.read();
    chain.drop(1);
    const other = { ...bid(20), priceTicks: 9n };
    chain.mine({ rows: [...bids(20), other] }, [logOf(other)]);
    expect(await fixture.read()).toMatchObject({ kind: "partial", count: 21n });
    expectUpToDate(fixture);
  });

  it("is swept after a log that means something only in another family", async () => {
    await using fixture = await readBids();
    fixture.chain.mine({ rows: bids(20).with(3, raised(bid(3), 1n)) }, [rowLog(bid(3))]);
    expect(await fixture.read()).toMatchObject({ kind: "sweep" });
    expectUpToDate(fixture);
  });

  it("is no longer trusted after a change that no log names", async () => {
    await using fixture = await readBids();
    const rows = bids(20)
      .with(3, raised(bid(3), 1n))
      .with(4, raised(bid(4), 1n));
    fixture.chain.mine({ rows }, [logOf(bid(3))]);
    // The totals don't match the logs, which may come late, at first.
    expect([await fixture.read(), await fixture.read()]).toEqual([undefined, undefined]);
    expect(await fixture.read()).toMatchObject({ kind: "sweep" });
    expectUpToDate(fixture);
    fixture.chain.mine({ rows: rows.with(5, raised(bid(5), 1n)) }, [logOf(bid(5))]);
    expect(await fixture.read()).toMatchObject({ kind: "sweep" });
    expectUpToDate(fixture);
  });
});
