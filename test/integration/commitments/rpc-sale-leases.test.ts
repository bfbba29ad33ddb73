import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { prolongLease } from "../../../services/commitments/applying/sale-lease-store.ts";
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
  it.skipIf(name === "sqlite")(
    "leaves out the leases whose rows another process has locked, however many",
    async () => {
      // More than are written at once.
      const locked = await Promise.all(Array.from({ length: 9 }, sale));
      const free = await sale();
      for (const saleUuid of [...locked, free]) await acquire(saleUuid, "reader-1");
      const release = await lockSale(service().database, ...locked);
      const duration = { seconds: 12n };
      const leases = [...locked, free].map((saleUuid) => ({ saleUuid, epoch: 1n }));
      const renewal = service().as("indexer").commitments.renewSaleLeases({ holder: "reader-1", duration, leases });
      // Without a limit the answer would wait for the release.
      expect(await renewal.finally(release)).toMatchObject({ renewed: [free], lost: [] });
      expect(await renew("reader-1", leases)).toMatchObject({ renewed: [...locked, free], lost: [] });
    },
  );

  it("holds up no change of a sale while it waits for its turn", async () => {
    const saleUuid = await sale();
    await acquire(saleUuid, "reader-1");
    const { database } = service();
    const lease = { saleUuid, holder: "reader-1", epoch: 1n, durationMillis: 60_000n };
    const turn = Promise.withResolvers<void>();
    const renewal = prolongLease(database, lease, async (write) => {
      await turn.promise;
      return write();
    });
    expect(await database.runExclusive(saleUuid, async () => "changed")).toBe("changed");
    turn.resolve();
    expect(await renewal).toBe("renewed");
  });

  it("gives its turn to others while this process changes the sale, and comes after the change", async () => {
    const saleUuid = await sale();
    await acquire(saleUuid, "reader-1");
    const { database } = service();
    const change = Promise.withResolvers<void>();
    const changed = database.runExclusive(saleUuid, () => change.promise);
    const left = Promise.withResolvers<void>();
    const lease = { saleUuid, holder: "reader-1", epoch: 1n, durationMillis: 60_000n };
    const renewal = prolongLease(database, lease, async (write) => {
      const outcome = await write();
      left.resolve();
      return outcome;
    });
    await left.promise;
    change.resolve();
    await changed;
    expect(await renewal).toBe("renewed");
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

describeCommitments("AcquireSaleLeases", (service, { name }) => {
  const sale = () => openedSale(service(), auction({ source: evmSource() }));
  const acquire = (holder: string, saleUuids: readonly string[], duration = MINUTE) =>
    service()
      .as("indexer")
      .commitments.acquireSaleLeases({ holder, duration, saleUuids: [...saleUuids] });

  it("gives the leases that nobody holds or the caller has, and says which others hold", async () => {
    const [free, own, foreign, withdrawn] = [(await sale()).toUpperCase(), await sale(), await sale(), await sale()];
    expect(await acquire("reader-1", [own])).toMatchObject({ acquired: [{ saleUuid: own, epoch: 1n }], foreign: [] });
    await acquire("reader-2", [foreign]);
    const { sale: found } = await service().sales.getSale({ saleUuid: withdrawn });
    await service().sales.withdrawSale({ saleUuid: withdrawn, confirmName: found?.definition?.name ?? "" });
    const { acquired, foreign: others } = await acquire("reader-1", [free, own, foreign, withdrawn, randomUUID()]);
    expect(new Map(acquired.map(({ saleUuid, epoch }) => [saleUuid, epoch]))).toEqual(
      new Map([
        [free, 1n],
        [own, 1n],
      ]),
    );
    expect(others).toEqual([foreign]);
    await apply(service(), free.toLowerCase(), { leaseEpoch: 1n });
  });

  // SQLite has no locks of rows.
  it.skipIf(name === "sqlite")("leaves out those whose rows another process has locked, however many", async () => {
    // More than are written at once.
    const locked = await Promise.all(Array.from({ length: 9 }, sale));
    const free = await sale();
    const release = await lockSale(service().database, ...locked);
    // Without a limit the answer would wait for the release.
    const answer = await acquire("reader-1", [...locked, free], { seconds: 12n }).finally(release);
    expect(answer).toMatchObject({ acquired: [{ saleUuid: free, epoch: 1n }], foreign: [] });
    const { acquired } = await acquire("reader-1", locked);
    expect(acquired.map(({ saleUuid }) => saleUuid).sort()).toEqual(locked.sort());
  });

  it("refuses another caller than the indexer", async () => {
    const call = service()
      .as("gateway")
      .commitments.acquireSaleLeases({ holder: "a", duration: MINUTE, saleUuids: [randomUUID()] });
    expect((await refusal(call)).code).toBe("permission_denied");
  });
});
