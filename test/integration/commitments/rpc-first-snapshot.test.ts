import { randomUUID } from "node:crypto";
import { Code } from "@connectrpc/connect";
import { expect, it } from "vitest";
import { sumsFromRows, sumsStored } from "../../support/databases/tick-sums.ts";
import { describeCommitments } from "../../support/processes/commitments-fixture.ts";
import {
  amountOf,
  apply,
  auction,
  draftSale,
  evmSource,
  openedSale,
  type RecordInit,
  record,
} from "../../support/sales/sale-messages.ts";

/** More than one statement writes. */
const ROWS = 600;

const records = (from: number, change: RecordInit = {}) =>
  Array.from({ length: ROWS }, (_, index) => record(from + index, { priceTicks: String(10 + (index % 7)), ...change }));

// New rows are inserted without reading stored ones: rows that are stored nevertheless must be noticed.
describeCommitments("the first snapshot of a sale that is read from a contract", (service) => {
  async function reader() {
    const saleUuid = await openedSale(service(), auction({ source: evmSource() }));
    const lease = { saleUuid, holder: "reader-1", duration: { seconds: 60n } };
    const { epoch: leaseEpoch } = await service().commitments.acquireSaleLease(lease);
    const part = (
      changeSetUuid: string,
      number: number,
      last: boolean,
      upserts: RecordInit[],
      removals: Uint8Array[] = [],
    ) =>
      apply(service(), saleUuid, { upserts, removals, leaseEpoch, changeSet: { changeSetUuid, part: number, last } });
    return { saleUuid, part };
  }

  async function expectShown(saleUuid: string, commitmentCount: bigint, totalAmount: bigint) {
    const { data } = await service().commitments.getCommitmentData({ saleUuid });
    expect(data).toMatchObject({ commitmentCount, totalAmount: totalAmount.toString() });
    expect(await sumsStored(service().database, saleUuid)).toEqual(await sumsFromRows(service().database, saleUuid));
  }

  it("is awaited by readers who are told what the sale is, if they ask, and refused to others", async () => {
    const { saleUuid, part } = await reader();
    const { commitments } = service();
    await expect(commitments.getCommitmentData({ saleUuid })).rejects.toMatchObject({ code: Code.Unavailable });
    const { data, sale, revision } = await commitments.getCommitmentData({ saleUuid, allowUnread: true });
    expect([data, sale?.paymentTokens.length, sale?.source.case]).toEqual([undefined, 1, "evm"]);
    await part(randomUUID(), 0, true, records(0));
    const read = await commitments.getCommitmentData({ saleUuid, allowUnread: true });
    expect([read.data?.commitmentCount, read.revision > revision]).toEqual([BigInt(ROWS), true]);
  });

  it("isn't spoken of to readers of a draft", async () => {
    const saleUuid = await draftSale(service(), auction({ source: evmSource() }));
    const asked = service().commitments.getCommitmentData({ saleUuid, allowUnread: true });
    await expect(asked).rejects.toMatchObject({ code: Code.NotFound });
  });

  it("counts each commitment once", async () => {
    const { saleUuid, part } = await reader();
    const set = randomUUID();
    await part(set, 0, false, records(0));
    await part(set, 1, true, records(ROWS));
    await expectShown(saleUuid, BigInt(2 * ROWS), BigInt(2 * ROWS) * 1_000n);
  });

  it("applies what a later part says of a commitment, wherever it is among new ones", async () => {
    const { saleUuid, part } = await reader();
    const set = randomUUID();
    await part(set, 0, false, records(0));
    const again = record(5, { priceTicks: "99", amounts: [amountOf(7n)] });
    await part(set, 1, true, [...records(ROWS), again]);
    await expectShown(saleUuid, BigInt(2 * ROWS), BigInt(2 * ROWS - 1) * 1_000n + 7n);
  });

  it("replaces the rows of an abandoned set, and removes those that no longer exist", async () => {
    const { saleUuid, part } = await reader();
    await part(randomUUID(), 0, false, records(0));
    const set = randomUUID();
    await part(set, 0, false, records(1, { amounts: [amountOf(2_000n)] }));
    const first = record(0).commitmentId as Uint8Array;
    await part(set, 1, true, [record(ROWS + 1)], [first]);
    await expectShown(saleUuid, BigInt(ROWS + 1), BigInt(ROWS) * 2_000n + 1_000n);
  });
});
