import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { lockSale } from "../../support/databases/lock-sale.ts";
import { describeCommitments } from "../../support/processes/commitments-fixture.ts";
import { apply, auction, evmSource, openedSale, refusal, violatedFields } from "../../support/sales/sale-messages.ts";

const MINUTE = { seconds: 60n };

describeCommitments("RenewSaleLeases", (service, { name }) => {
  const sale = () => openedSale(service(), auction({ source: evmSource() }));
  const acquire = (saleUuid: string, holder: string, duration = MINUTE) =>
    service().commitments.acquireSaleLease({ saleUuid, holder, duration });
  const renew = (holder: string, leases: readonly { saleUuid: string; epoch: bigint }[]) =>
    service()
      .as("indexer")
      .commitments.renewSaleLeases({ holder, duration: MINUTE, leases: [...leases] });

  it("extends the leases that its caller holds, and says which are lost", async () => {
    const [held, foreign, former, withdrawn] = [await sale(), await sale(), await sale(), await sale()];
    for (const saleUuid of [held, former, withdrawn]) await acquire(saleUuid, "reader-1", { seconds: 8n });
    await acquire(foreign, "reader-2");
    const { sale: found } = await service().sales.getSale({ saleUuid: withdrawn });
    await service().sales.withdrawSale({ saleUuid: withdrawn, confirmName: found?.definition?.name ?? "" });
    const before = await acquire(held, "reader-2");
    expect(before).toMatchObject({ acquired: false, epoch: 1n });
    const unknown = randomUUID();
    const leases = [held, foreign, withdrawn, unknown].map((saleUuid) => ({ saleUuid, epoch: 1n }));
    // One that it had, and has again since another process had it.
    leases.push({ saleUuid: former, epoch: 9n });
    expect(await renew("reader-1", leases)).toMatchObject({
      renewed: [held],
      lost: [foreign, withdrawn, unknown, former],
    });
    const after = await acquire(held, "reader-2");
    expect(after).toMatchObject({ acquired: false, holder: "reader-1", epoch: 1n });
    const gained = Number(after.expiresAt?.seconds) - Number(before.expiresAt?.seconds);
    expect(gained).toBeGreaterThan(50);
    await apply(service(), held, { leaseEpoch: 1n });
  });

  it("takes UUIDs in capitals, and answers with them", async () => {
    const saleUuid = (await sale()).toUpperCase();
    await acquire(saleUuid, "reader-1");
    expect(await renew("reader-1", [{ saleUuid, epoch: 1n }])).toMatchObject({ renewed: [saleUuid], lost: [] });
  });

  // SQLite has no locks of rows.
  it.skipIf(name === "sqlite")("leaves out a lease whose row another process has locked", async () => {
    const [locked, free] = [await sale(), await sale()];
    for (const saleUuid of [locked, free]) await acquire(saleUuid, "reader-1");
    const release = await lockSale(service().database, locked);
    const duration = { seconds: 12n };
    const leases = [locked, free].map((saleUuid) => ({ saleUuid, epoch: 1n }));
    const renewal = service().as("indexer").commitments.renewSaleLeases({ holder: "reader-1", duration, leases });
    // Without a limit the answer would wait for the release.
    expect(await renewal.finally(release)).toMatchObject({ renewed: [free], lost: [] });
    expect(await renew("reader-1", leases)).toMatchObject({ renewed: [locked, free], lost: [] });
  });

  describe("refuses", () => {
    it("another caller than the indexer", async () => {
      const leases = [{ saleUuid: randomUUID(), epoch: 1n }];
      const call = service().as("gateway").commitments.renewSaleLeases({ holder: "a", duration: MINUTE, leases });
      expect((await refusal(call)).code).toBe("permission_denied");
    });

    it("an epoch that no lease has, and no leases", async () => {
      const leases = [{ saleUuid: randomUUID(), epoch: 0n }];
      expect(await violatedFields(renew("a", leases))).toEqual(["leases[0].epoch"]);
      expect(await violatedFields(renew("a", []))).toEqual(["leases"]);
    });
  });
});
