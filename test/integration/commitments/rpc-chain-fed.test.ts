import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { expectUnchanged } from "../../support/databases/sale-tables.ts";
import { type CommitmentsFixture, describeCommitments } from "../../support/processes/commitments-fixture.ts";
import {
  apply,
  auction,
  evmSource,
  openedSale,
  record,
  refusal,
  violatedFields,
} from "../../support/sales/sale-messages.ts";

const A_MINUTE = { seconds: 60n };

describeCommitments("a sale that is read from a contract", (service) => {
  const openChainFed = () => openedSale(service(), auction({ source: evmSource() }));
  const acquire = (saleUuid: string, holder: string, duration = A_MINUTE) =>
    service().as("indexer").commitments.acquireSaleLease({ saleUuid, holder, duration });
  const reads = (saleUuid: string) => {
    const { commitments } = service();
    return [
      () => commitments.getCommitmentData({ saleUuid }),
      () => commitments.listCommitments({ saleUuid }),
      () => commitments.getPriceLevels({ saleUuid }),
    ];
  };

  it("can't be read before its first whole snapshot", async () => {
    const saleUuid = await openChainFed();
    for (const read of reads(saleUuid)) expect(await refusal(read())).toMatchObject({ code: "unavailable" });
    expect(await service().commitments.getRevisions({ saleUuids: [saleUuid] })).toMatchObject({ revisions: [] });

    const { epoch: leaseEpoch } = await acquire(saleUuid, "reader-1");
    const uuid = randomUUID();
    const partOf = (part: number, last: boolean) => ({ changeSet: { changeSetUuid: uuid, part, last }, leaseEpoch });
    await apply(service(), saleUuid, { upserts: [record(1)], ...partOf(0, false) });
    for (const read of reads(saleUuid)) expect(await refusal(read())).toMatchObject({ code: "unavailable" });
    await apply(service(), saleUuid, { upserts: [record(2)], ...partOf(1, true) });

    for (const read of reads(saleUuid)) await expect(read()).resolves.toBeDefined();
    expect((await service().commitments.getCommitmentData({ saleUuid })).data).toMatchObject({ totalAmount: "2000" });
    expect((await service().sales.getSale({ saleUuid })).sale).toMatchObject({ hasSnapshot: true });
  });

  it("is readable after an empty snapshot: nobody has bid yet", async () => {
    const saleUuid = await openChainFed();
    const { epoch: leaseEpoch } = await acquire(saleUuid, "reader-1");
    expect(await apply(service(), saleUuid, { leaseEpoch })).toMatchObject({ revision: 3n });
    expect(await service().commitments.getCommitmentData({ saleUuid })).toMatchObject({ revision: 3n });
  });

  it("takes nothing without a lease", async () => {
    const saleUuid = await openChainFed();
    const call = () => violatedFields(apply(service(), saleUuid, { upserts: [record(1)] }));
    expect(await expectUnchanged(service().database, saleUuid, call)).toEqual(["lease_epoch"]);
  });

  it.each([
    ["an epoch that nobody has", { leaseEpoch: 2n }],
    ["epoch 0", { leaseEpoch: 0n }],
    ["a revision that has passed", { leaseEpoch: 1n, expectedRevision: 1n }],
    ["a revision to come", { leaseEpoch: 1n, expectedRevision: 3n }],
  ])("takes nothing with %s", async (_, envelope) => {
    const saleUuid = await openChainFed();
    await acquire(saleUuid, "reader-1");
    const call = () => refusal(apply(service(), saleUuid, { upserts: [record(1)], ...envelope }));
    expect(await expectUnchanged(service().database, saleUuid, call)).toMatchObject({ code: "aborted" });
  });

  it("has one reader at a time, by the database's clock", async () => {
    const saleUuid = await openChainFed();
    const first = await acquire(saleUuid, "reader-1");
    expect(first).toMatchObject({ acquired: true, epoch: 1n, holder: "reader-1" });
    const refused = () => acquire(saleUuid, "reader-2");
    expect(await expectUnchanged(service().database, saleUuid, refused)).toEqual({ ...first, acquired: false });

    await runOut(service(), saleUuid);
    expect(await acquire(saleUuid, "reader-2")).toMatchObject({ acquired: true, epoch: 2n, holder: "reader-2" });
    expect(await acquire(saleUuid, "reader-1")).toMatchObject({ acquired: false, epoch: 2n, holder: "reader-2" });
    const paused = () => refusal(apply(service(), saleUuid, { upserts: [record(1)], leaseEpoch: first.epoch }));
    expect(await expectUnchanged(service().database, saleUuid, paused)).toMatchObject({ code: "aborted" });
    await apply(service(), saleUuid, { upserts: [record(1)], leaseEpoch: 2n });
  });

  it("lets its reader prolong the lease, with the same epoch", async () => {
    const saleUuid = await openChainFed();
    const first = await acquire(saleUuid, "reader-1", { seconds: 1n });
    const longer = await acquire(saleUuid, "reader-1", { seconds: 300n });
    expect(longer).toMatchObject({ acquired: true, epoch: 1n });
    const seconds = (longer.expiresAt?.seconds ?? 0n) - (first.expiresAt?.seconds ?? 0n);
    expect(seconds >= 298n).toBe(true);
    await runOut(service(), saleUuid);
    expect(await acquire(saleUuid, "reader-1")).toMatchObject({ acquired: true, epoch: 1n });
  });

  it("gives the lease to one of many that ask at once", async () => {
    const saleUuid = await openChainFed();
    const holders = Array.from({ length: 8 }, (_, index) => `reader-${index}`);
    const answers = await Promise.all(holders.map((holder) => acquire(saleUuid, holder)));
    expect(answers.filter(({ acquired }) => acquired)).toHaveLength(1);
    expect(new Set(answers.map(({ holder, epoch }) => `${holder}/${epoch}`)).size).toBe(1);
  });

  it("keeps the lease through applies", async () => {
    const saleUuid = await openChainFed();
    const lease = await acquire(saleUuid, "reader-1");
    await apply(service(), saleUuid, { upserts: [record(1)], leaseEpoch: lease.epoch });
    expect(await acquire(saleUuid, "reader-2")).toEqual({ ...lease, acquired: false });
  });

  it.each([
    ["no holder", { holder: "" }, "holder"],
    ["a holder of two words", { holder: "reader 1" }, "holder"],
    ["a holder of 129 characters", { holder: "x".repeat(129) }, "holder"],
    ["less than a second", { duration: { nanos: 999_999_999 } }, "duration"],
    ["more than five minutes", { duration: { seconds: 301n } }, "duration"],
  ])("grants no lease to %s", async (_, change, field) => {
    const saleUuid = await openChainFed();
    const request = { saleUuid, holder: "reader-1", duration: A_MINUTE, ...change };
    const call = () => violatedFields(service().commitments.acquireSaleLease(request));
    expect(new Set(await expectUnchanged(service().database, saleUuid, call))).toEqual(new Set([field]));
  });

  it("grants no lease without a duration, nor of an unknown sale", async () => {
    const { commitments } = service();
    const noDuration = { saleUuid: await openChainFed(), holder: "reader-1" };
    expect(await violatedFields(commitments.acquireSaleLease(noDuration))).toEqual(["duration"]);
    expect(await refusal(acquire(randomUUID(), "reader-1"))).toMatchObject({ code: "not_found" });
  });
});

/** Sets the end of the lease back to the past. */
async function runOut({ database }: CommitmentsFixture, saleUuid: string): Promise<void> {
  const { numUpdatedRows } = await database.query
    .updateTable("sale_state")
    .set({ lease_until_ms: 1n })
    .where("sale", "=", bytesOfHex(saleUuid))
    .executeTakeFirst();
  expect(numUpdatedRows).toBe(1n);
}
