import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { describeCommitments } from "../../support/commitments-fixture.ts";
import {
  apply,
  auction,
  evmSource,
  idBytes,
  openedSale,
  record,
  refusal,
  violatedFields,
} from "../../support/sale-messages.ts";
import { expectUnchanged } from "../../support/sale-tables.ts";

const report = {
  headHeight: 120n,
  fault: "",
  warning: "the contract's total differs",
  sweep: { rowsDone: 5n, rowsTotal: 9n, running: true, sweepRequests: 0n },
};

describeCommitments("the status of a sale's source", (service) => {
  /** A chain-fed sale whose lease is held with epoch 1. */
  async function leased(): Promise<string> {
    const saleUuid = await openedSale(service(), auction({ source: evmSource() }));
    const duration = { seconds: 60n };
    await service().commitments.acquireSaleLease({ saleUuid, holder: "reader-1", duration });
    return saleUuid;
  }

  const reportOf = (saleUuid: string, leaseEpoch = 1n) =>
    service()
      .as("indexer")
      .commitments.reportSourceStatus({ saleUuid, leaseEpoch, ...report });
  const getSale = async (saleUuid: string) => (await service().sales.getSale({ saleUuid })).sale;

  it("shows in the sale, and makes no revision", async () => {
    const saleUuid = await leased();
    expect((await getSale(saleUuid))?.sourceStatus).toBeUndefined();
    const sourcePosition = { height: 100n, hash: idBytes(1) };
    await apply(service(), saleUuid, { leaseEpoch: 1n, sourcePosition });
    expect(await reportOf(saleUuid)).toMatchObject({ sweepRequests: 0n });
    expect(await getSale(saleUuid)).toMatchObject({ revision: 3n, sourceStatus: { ...report, behind: 20n } });
    const { sales } = await service().sales.listSales({ pageSize: 500 });
    expect(sales.find(({ uuid }) => uuid === saleUuid)).toEqual(await getSale(saleUuid));
  });

  it("is reported only by the holder of the lease", async () => {
    const saleUuid = await leased();
    const late = () => refusal(reportOf(saleUuid, 2n));
    expect(await expectUnchanged(service().database, saleUuid, late)).toMatchObject({ code: "aborted" });
    expect(await violatedFields(reportOf(saleUuid, 0n))).toEqual(["lease_epoch"]);
    expect(await refusal(reportOf(randomUUID()))).toMatchObject({ code: "not_found" });
  });

  it("counts the requested sweeps, and returns their number to the reader", async () => {
    const saleUuid = await leased();
    const ask = () => service().commitments.requestSweep({ saleUuid });
    expect([(await ask()).sweepRequests, (await ask()).sweepRequests]).toEqual([1n, 2n]);
    expect(await reportOf(saleUuid)).toMatchObject({ sweepRequests: 2n });
    expect(await ask()).toMatchObject({ sweepRequests: 3n });
    expect((await getSale(saleUuid))?.sourceStatus).toMatchObject({ ...report, sweepRequests: 3n });
  });

  it("is there for sales with a source only", async () => {
    const saleUuid = await openedSale(service());
    const ask = () => refusal(service().commitments.requestSweep({ saleUuid }));
    expect(await expectUnchanged(service().database, saleUuid, ask)).toMatchObject({ code: "failed_precondition" });
  });
});

describeCommitments("GetCommitmentRecords", (service) => {
  const recordsOf = (saleUuid: string, commitmentIds: Uint8Array<ArrayBuffer>[]) =>
    service().as("indexer").commitments.getCommitmentRecords({ saleUuid, commitmentIds });

  it("returns the stored records, including parts of an open change set", async () => {
    const saleUuid = await openedSale(service());
    await apply(service(), saleUuid, { upserts: [record(1), record(2)] });
    const changeSet = { changeSetUuid: randomUUID(), part: 0, last: false };
    const changed = record(2, { refunded: true, sourceIndex: 4n });
    await apply(service(), saleUuid, { upserts: [changed], changeSet });
    const { records } = await recordsOf(saleUuid, [idBytes(2), idBytes(9)]);
    expect(records).toMatchObject([changed]);
  });

  it("answers for 1 to 500 IDs of 32 bytes", async () => {
    const saleUuid = await openedSale(service());
    const ids = Array.from({ length: 501 }, (_, number) => idBytes(number));
    expect((await recordsOf(saleUuid, ids.slice(1))).records).toEqual([]);
    expect(await violatedFields(recordsOf(saleUuid, ids))).toEqual(["commitment_ids"]);
    expect(await violatedFields(recordsOf(saleUuid, []))).toEqual(["commitment_ids"]);
    expect(await violatedFields(recordsOf(saleUuid, [idBytes(1, 31)]))).toEqual(["commitment_ids[0]"]);
  });
});
