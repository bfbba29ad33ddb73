import { randomUUID } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import { durationFromMs, durationMs } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import {
  FeedFault,
  FeedStateSchema,
  type Sale,
  SaleStage,
} from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { expectUnchanged } from "../../support/databases/sale-tables.ts";
import { type CommitmentsFixture, describeCommitments } from "../../support/processes/commitments-fixture.ts";
import {
  apply,
  auction,
  evmSource,
  idBytes,
  openedSale,
  record,
  refusal,
  violatedFields,
} from "../../support/sales/sale-messages.ts";

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

  it("is reported of many sales by one call, each by itself", async () => {
    const [first, known, taken, capital] = [await leased(), await leased(), await leased(), await leased()];
    await reportOf(known);
    await service().commitments.requestSweep({ saleUuid: known });
    const { stored } = await service()
      .as("indexer")
      .commitments.reportSourceStatuses({
        reports: [
          { saleUuid: taken, leaseEpoch: 2n, ...report },
          { saleUuid: known, leaseEpoch: 1n, ...report, headHeight: 121n },
          { saleUuid: randomUUID(), leaseEpoch: 1n, ...report },
          { saleUuid: first, leaseEpoch: 1n, ...report },
          { saleUuid: capital.toUpperCase(), leaseEpoch: 1n, ...report, fault: "of this one" },
        ],
      });
    expect(new Map(stored.map(({ saleUuid, sweepRequests }) => [saleUuid, sweepRequests]))).toEqual(
      new Map([
        [known, 1n],
        [first, 0n],
        [capital.toUpperCase(), 0n],
      ]),
    );
    expect((await getSale(known))?.sourceStatus).toMatchObject({ headHeight: 121n });
    expect((await getSale(capital))?.sourceStatus).toMatchObject({ fault: "of this one" });
    expect((await getSale(taken))?.sourceStatus).toBeUndefined();
  });

  it("shows in the sale, and makes no revision", async () => {
    const saleUuid = await leased();
    expect((await getSale(saleUuid))?.sourceStatus).toBeUndefined();
    const sourcePosition = { height: 100n, hash: idBytes(1) };
    await apply(service(), saleUuid, { leaseEpoch: 1n, sourcePosition });
    expect(await reportOf(saleUuid)).toMatchObject({ sweepRequests: 0n });
    expect(await getSale(saleUuid)).toMatchObject({ revision: 3n, sourceStatus: { ...report, behind: 20n } });
    const { sales } = await service().sales.listSales({ pageSize: 500 });
    // Both say how current the figures are at the time of the call.
    const withoutFeed = (sale: Sale | undefined) => sale && { ...sale, feedState: undefined };
    const listed = sales.find(({ uuid }) => uuid === saleUuid);
    expect(withoutFeed(listed)).toEqual(withoutFeed(await getSale(saleUuid)));
    expect(listed?.feedState).toBeDefined();
  });

  describe("with a block at which the figures are those of the source", () => {
    const asOf = { height: 119n, hash: idBytes(7) };
    const success = { asOf, blockTimeSeconds: 1_770_000_000n, readInterval: { seconds: 2n } };
    const reader = () => service().as("indexer").commitments;
    const readBy = (saleUuid: string, change: object = {}) =>
      reader().reportSourceStatus({ saleUuid, leaseEpoch: 1n, ...report, ...success, ...change });
    const blockTime = { seconds: success.blockTimeSeconds };
    const shown = { asOf: { position: asOf, blockTime }, fault: FeedFault.UNSPECIFIED, final: false };

    /** A sale that has a snapshot, and was read. */
    async function read(): Promise<string> {
      const saleUuid = await leased();
      await apply(service(), saleUuid, { leaseEpoch: 1n, sourcePosition: { height: 100n, hash: idBytes(1) } });
      await readBy(saleUuid);
      return saleUuid;
    }

    it("is given with the sale, its revision and its figures, and changes none of them", async () => {
      const saleUuid = await read();
      const { commitments } = service();
      const before = await commitments.getCommitmentData({ saleUuid });
      await readBy(saleUuid);
      const { feedState, ...figures } = await commitments.getCommitmentData({ saleUuid });
      expect(figures).toEqual({ ...before, feedState: undefined });
      expect(feedState).toMatchObject(shown);
      const { revisions } = await commitments.getRevisions({ saleUuids: [saleUuid] });
      expect(revisions).toMatchObject([{ revision: 3n, feedState: shown }]);
      const sale = await getSale(saleUuid);
      expect(sale).toMatchObject({ revision: 3n, sourcePosition: { height: 100n }, feedState: shown });
      expect(sale?.sourceStatus?.behind).toBe(report.headHeight - asOf.height);
      expect(feedState?.asOf?.lastSuccess).toEqual(sale?.feedState?.asOf?.lastSuccess);
    });

    it("stays the last one when reading fails, and the time since grows by the database's clock", async () => {
      const saleUuid = await read();
      const { feedState: before } = (await getSale(saleUuid)) ?? {};
      await passed(service(), saleUuid, 45_000n);
      const failed = {
        asOf: undefined,
        blockTimeSeconds: undefined,
        readInterval: undefined,
        fault: "the node is down",
      };
      await readBy(saleUuid, failed);
      const { feedState } = (await getSale(saleUuid)) ?? {};
      expect(feedState?.asOf?.position).toEqual(before?.asOf?.position);
      expect(feedState?.fault).toBe(FeedFault.UNREADABLE);
      expect(durationMs(feedState?.behind ?? durationFromMs(0))).toBeGreaterThanOrEqual(45_000);
      await readBy(saleUuid);
      expect((await getSale(saleUuid))?.feedState).toMatchObject(shown);
    });

    it("reports that no indexer holds the lease", async () => {
      const saleUuid = await read();
      await service().database.query.updateTable("sale_state").set({ lease_until_ms: 1n }).execute();
      expect((await getSale(saleUuid))?.feedState).toMatchObject({ ...shown, fault: FeedFault.NO_INDEXER });
    });

    it("is final once the sale was still settled an hour after its settlement", async () => {
      const saleUuid = await read();
      const final = async () => (await getSale(saleUuid))?.feedState?.final;
      await apply(service(), saleUuid, { leaseEpoch: 1n, stage: SaleStage.DONE });
      await readBy(saleUuid);
      expect(await final()).toBe(false);
      await passed(service(), saleUuid, 3_600_000n);
      expect(await final()).toBe(false);
      await readBy(saleUuid);
      expect(await final()).toBe(true);
      await apply(service(), saleUuid, { leaseEpoch: 1n, stage: SaleStage.SETTLEMENT });
      await readBy(saleUuid);
      expect(await final()).toBe(false);
    });

    it("isn't there for a sale without a source", async () => {
      const saleUuid = await openedSale(service());
      await apply(service(), saleUuid, { upserts: [record(1)] });
      const { feedState } = await service().commitments.getCommitmentData({ saleUuid });
      expect(feedState).toEqual(create(FeedStateSchema, { behind: {} }));
      expect((await getSale(saleUuid))?.feedState).toBeUndefined();
    });

    it("has bounds", async () => {
      const saleUuid = await leased();
      const wrong = {
        asOf: { height: 2n ** 63n, hash: idBytes(1, 33) },
        blockTimeSeconds: 253_402_300_800n,
        readInterval: { seconds: 86_401n },
      };
      const fields = await violatedFields(readBy(saleUuid, wrong));
      expect(fields).toEqual(["as_of.height", "as_of.hash", "block_time_seconds", "read_interval"]);
    });
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

/** Lets time pass for the reports about a sale: all that was stored is older afterwards. */
async function passed({ database }: CommitmentsFixture, saleUuid: string, millis: bigint): Promise<void> {
  const times = ["success_at_ms", "settled_since_ms", "checked_at_ms"] as const;
  const { query } = database;
  const row = await query
    .selectFrom("sale_source_status")
    .select(times)
    .where("sale", "=", bytesOfHex(saleUuid))
    .executeTakeFirstOrThrow();
  const earlier = Object.entries(row).map(([name, time]) => [name, time === null ? null : BigInt(time) - millis]);
  await query
    .updateTable("sale_source_status")
    .set(Object.fromEntries(earlier))
    .where("sale", "=", bytesOfHex(saleUuid))
    .execute();
}

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
