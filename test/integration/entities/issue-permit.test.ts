import { randomUUID } from "node:crypto";
import { Code } from "@connectrpc/connect";
import { sql, type Transaction } from "kysely";
import { recoverMessageAddress, toHex } from "viem/utils";
import { describe, expect, it } from "vitest";
import { encodePermit } from "../../../common/chains/permit-encoding.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { SaleStage } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { FailureReason } from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import type { SignedPermit } from "../../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import { deriveKeys } from "../../../services/entities/base/derived-keys.ts";
import { lockSale } from "../../../services/entities/base/lock-sale.ts";
import type { EntitiesSchema } from "../../../services/entities/base/schema.ts";
import { storeClosed } from "../../../services/entities/entities/closed-accounts-store.ts";
import { lockEntitiesOf } from "../../../services/entities/entities/entities-store.ts";
import { PERMIT_LIMITS, permitRates } from "../../../services/entities/permits/permit-rates.ts";
import { readRules, writeRules } from "../../../services/entities/rules/rules-store.ts";
import { sampleGroup, sampleRules } from "../../../services/entities/testing/sample-rules.ts";
import { KEY_ENCRYPTION_KEY } from "../../support/processes/auth-fixture.ts";
import { describeEntities } from "../../support/processes/entities-fixture.ts";
import { SOON } from "../../support/repository/polling.ts";
import { fixedPricing } from "../../support/sales/sale-messages.ts";
import { newAddress, type Participant, PermitSale } from "../../support/sales/taking-part-sale.ts";

const issued = (result: SignedPermit | number): SignedPermit => {
  if (typeof result === "number") throw new Error(`refused: ${result}`);
  return result;
};

const encodedOf = ({ permit }: SignedPermit): Uint8Array => {
  if (permit === undefined) throw new Error("no permit");
  return encodePermit("evm", {
    ...permit,
    saleSpecificId: permit.saleSpecificEntityId,
    wallet: Buffer.from(permit.wallet.slice(2), "hex"),
    minAmount: BigInt(permit.minAmount),
    maxAmount: BigInt(permit.maxAmount),
  });
};

const wallets = (maxWalletsPerEntity: number) => ({
  ...{ maxWalletsPerEntity, linkingRequired: false, denyList: false, screenerUrl: "" },
  onScreeningFailure: "closed" as const,
});

describeEntities("IssuePermit", (service, variant) => {
  const email = () => `${randomUUID()}@example.com`;

  it("gives a permit that the sale's active key has signed, for exactly what it says", async () => {
    const sale = await PermitSale.open(service());
    const signer = await sale.newKey();
    const participant = await sale.participant(email());
    const wallet = newAddress();
    const { permit, signature } = issued(await sale.issue(participant, wallet));
    const nowSeconds = service().auth.time.now() / 1_000n;
    expect(permit).toMatchObject({
      ...{ expiresAt: nowSeconds + 600n, minAmount: "0", maxAmount: (2n ** 256n - 1n).toString() },
      ...{ minPrice: 0n, maxPrice: 2n ** 53n - 1n, opensAt: 0n, closesAt: 2n ** 53n - 1n },
    });
    expect(permit?.wallet.toLowerCase()).toBe(wallet);
    expect(toHex(permit?.saleSpecificEntityId ?? new Uint8Array())).toBe(toHex(participant.saleEntity.saleSpecificId));
    expect(permit?.payload).toHaveLength(32);
    const result = { permit, signature } as SignedPermit;
    const message = { raw: encodedOf(result) };
    expect(await recoverMessageAddress({ message, signature: toHex(signature) })).toBe(signer);
  });

  it("has the bounds of the group, the sale's price, or none where bids come without one", async () => {
    const group = sampleGroup({ minAmount: 5n, maxAmount: 7n, closesAt: 9_000_000_000n, forcedLockup: true });
    const sale = await PermitSale.open(service(), { pricing: fixedPricing(12n), rules: { groups: [group] } });
    const participant = await sale.participant(email());
    const wallet = newAddress();
    const first = issued(await sale.issue(participant, wallet)).permit;
    expect(first).toMatchObject({
      minAmount: "5",
      maxAmount: "7",
      minPrice: 12n,
      maxPrice: 12n,
      closesAt: 9_000_000_000n,
    });
    expect(first?.payload[31]).toBe(1);
    await sale.setRules({ groups: [sampleGroup()], bidsWithoutPrice: true, payload: "none" });
    const second = issued(await sale.issue(participant, wallet)).permit;
    expect(second).toMatchObject({ minPrice: 0n, maxPrice: 0n });
    expect(second?.payload).toHaveLength(0);
  });

  it("is kept with entity, wallet, bounds, client and key, without anything personal, listed and counted", async () => {
    const sale = await PermitSale.open(service());
    const address = email();
    const participant = await sale.participant(address);
    const wallet = newAddress();
    await sale.issue(participant, wallet);
    await sale.issue(participant, wallet);
    const { saleUuid } = sale;
    const { permits, nextPageToken } = await service().permits.listPermits({ saleUuid, pageSize: 1 });
    const { uuid: clientUuid } = (await service().applicationOf(saleUuid)).client;
    const { keys } = await service().permits.listKeys({ saleUuid });
    expect(permits[0]).toMatchObject({ clientUuid, keyUuid: keys[0]?.keyUuid, forcedLockup: false, minAmount: "0" });
    expect(permits[0]?.wallet.toLowerCase()).toBe(wallet);
    const rest = await service().permits.listPermits({ saleUuid, pageSize: 1, pageToken: nextPageToken });
    expect(rest.permits[0]?.permitUuid).not.toBe(permits[0]?.permitUuid);
    expect(rest.nextPageToken).toBe("");
    const saleSpecificEntityId = new Uint8Array(16).fill(1);
    expect((await service().permits.listPermits({ saleUuid, saleSpecificEntityId })).permits).toEqual([]);
    const counts = await service().permits.countPermits({ saleUuid });
    expect(counts).toMatchObject({ permits: 2n, entities: 1n, wallets: 1n, unexpired: 2n });
    expect(counts.hours.map(({ permits }) => permits)).toEqual([2n]);
    const summaries = await service().permits.listPermitSummaries({ saleUuids: [saleUuid, randomUUID()] });
    expect(summaries.sales).toMatchObject([
      { saleUuid, permits: 2n, lastDay: 2n, enabled: true, hasActiveKey: true },
      { permits: 0n, lastDay: 0n, enabled: false, hasActiveKey: false },
    ]);
    const rows = JSON.stringify(
      await service().database.query.selectFrom("permit").selectAll().execute(),
      (_, value) => (typeof value === "bigint" ? value.toString() : value),
    );
    expect(rows).not.toContain(address);
    const log = JSON.stringify(service().log);
    for (const secret of [address, participant.accessToken, wallet]) expect(log).not.toContain(secret);
  });

  describe("is refused", () => {
    it("by the sale's state, the entity's, the window and the rules", async () => {
      const sale = await PermitSale.open(service(), { rules: { groups: [sampleGroup({ opensAt: 9_000_000_000n })] } });
      const participant = await sale.participant(email());
      const incomplete = await sale.participant(email(), { setupState: "in_review" });
      expect(await sale.issue(incomplete)).toBe(FailureReason.UNKNOWN);
      expect(await sale.issue(participant)).toBe(FailureReason.OUTSIDE_TIME_WINDOW);
      await sale.setRules({ enabled: false });
      expect(await sale.issue(participant)).toBe(FailureReason.SALE_NOT_ACTIVE);
      await sale.setRules({});
      issued(await sale.issue(participant));
      await sale.setStage(SaleStage.CANCELLATION);
      expect(await sale.issue(participant)).toBe(FailureReason.SALE_NOT_ACTIVE);
    });

    it("to tokens of other sales, for entities of others, and for malformed wallets", async () => {
      const sale = await PermitSale.open(service());
      const other = await PermitSale.open(service());
      const [mine, theirs] = [await sale.participant(email()), await sale.participant(email())];
      const elsewhere = await other.participant(email());
      const foreign = sale.issue({ ...mine, accessToken: elsewhere.accessToken });
      await expect(foreign).rejects.toMatchObject({ code: Code.PermissionDenied });
      await expect(sale.issue({ ...mine, accessToken: "a.b.c" })).rejects.toMatchObject({ code: Code.Unauthenticated });
      const stolen = sale.issue({ ...mine, saleEntity: theirs.saleEntity });
      await expect(stolen).rejects.toMatchObject({ code: Code.NotFound });
      await expect(sale.issue(mine, "0x12")).rejects.toMatchObject({ code: Code.InvalidArgument });
    });

    it("to a wallet of another entity", async () => {
      const sale = await PermitSale.open(service());
      const wallet = newAddress();
      issued(await sale.issue(await sale.participant(email()), wallet));
      expect(await sale.issue(await sale.participant(email()), wallet)).toBe(FailureReason.WALLET_NOT_LINKED);
    });

    it("to a token that was revoked after a permit, also while others are issued", async () => {
      const sale = await PermitSale.open(service());
      const { auth, permits } = service();
      const { client } = await service().applicationOf(sale.saleUuid);
      const askers = await Promise.all(
        Array.from({ length: 8 }, async () => {
          const [participant, wallet] = [await sale.participant(email()), newAddress()];
          return { participant, ask: () => sale.issue(participant, wallet) };
        }),
      );
      const [revoked, ...others] = askers as [(typeof askers)[number], ...typeof askers];
      for (const { ask } of askers) issued(await ask());
      const { sessionToken } = revoked.participant.session;
      await auth.as("gateway").accounts.withdrawConsent({ sessionToken, clientUuid: client.uuid });
      for (let round = 0; round < 2; round += 1) {
        const refused = revoked.ask();
        const given = others.map(async ({ ask }) => issued(await ask()));
        await expect(refused).rejects.toMatchObject({ code: Code.Unauthenticated });
        await Promise.all(given);
      }
      expect(await permits.countPermits({ saleUuid: sale.saleUuid })).toMatchObject({ permits: 22n, entities: 8n });
    });

    it("beyond the rate of an account", async () => {
      const sale = await PermitSale.open(service());
      const participant = await sale.participant(email());
      const { database, auth } = service();
      const counterKey = deriveKeys(KEY_ENCRYPTION_KEY).index;
      const otherProcess = permitRates({ database, clock: auth.time.now, counterKey });
      for (let taken = 0; taken < PERMIT_LIMITS.permit_account.count; taken += 1)
        await otherProcess.take("permit_account", participant.session.accountUuid);
      for (let again = 0; again < 2; again += 1)
        await expect(sale.issue(participant)).rejects.toMatchObject({ code: Code.ResourceExhausted });
      issued(await sale.issue(await sale.participant(email())));
    });
  });

  it.each([
    ["the sale", FailureReason.SALE_NOT_ACTIVE],
    ["its entity", FailureReason.UNKNOWN],
  ] as const)("waits for a change of %s that has begun, and is checked against it", async (changed, reason) => {
    const sale = await PermitSale.open(service());
    const participant = await sale.participant(email());
    const wallet = newAddress();
    issued(await sale.issue(participant, wallet));
    const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const change = service().database.write(async (transaction) => {
      if (changed === "the sale") await turnOff(transaction, sale.saleUuid);
      else await close(transaction, participant);
      begin();
      await mayCommit;
    });
    await begun;
    const result = sale.issue(participant, wallet);
    await untilSomebodyWaits();
    commit();
    await change;
    expect(await result).toBe(reason);
  });

  async function turnOff(transaction: Transaction<EntitiesSchema>, saleUuid: string): Promise<void> {
    await lockSale(transaction, service().database.dialect, saleUuid);
    const { version: expectedVersion } = await readRules(transaction, saleUuid);
    await writeRules(transaction, saleUuid, { rules: sampleRules({ enabled: false }), expectedVersion }, 0n);
  }

  async function close(transaction: Transaction<EntitiesSchema>, { entity }: Participant): Promise<void> {
    const { accountUuid } = entity;
    await lockEntitiesOf(transaction, service().database.dialect, accountUuid);
    // Just now: the service opens accounts again that were closed minutes ago.
    await storeClosed(transaction, { accountUuid, closedAtMs: service().auth.time.now() });
  }

  /** InnoDB refreshes its table of transactions only if nobody has read it for 100 ms. SQLite has no such table. */
  async function untilSomebodyWaits(): Promise<void> {
    const { dialect, query } = service().database;
    if (dialect.name === "sqlite") return;
    const waiting = sql`select 1 from information_schema.innodb_trx
      join information_schema.processlist on id = trx_mysql_thread_id
      where db = database() and trx_state = 'LOCK WAIT'`;
    const count = async () => (await waiting.execute(query)).rows.length;
    await expect.poll(count, { ...SOON, interval: 150 }).toBeGreaterThan(0);
  }

  it.skipIf(variant.name === "sqlite")(
    "writes its entity's row, as all that it must not overlap does: elsewhere in a cluster only writes conflict",
    async () => {
      const sale = await PermitSale.open(service());
      const participant = await sale.participant(email());
      const { accountUuid, uuid: entityUuid } = participant.entity;
      const { entities } = await service().asPerson(participant.session);
      const { query } = service().database;
      const locks = async () => {
        const entity = query.selectFrom("entity").select("locks").where("entity", "=", bytesOfHex(entityUuid));
        return BigInt((await entity.executeTakeFirst())?.locks ?? 0n);
      };
      const uses: (() => Promise<unknown>)[] = [
        async () => issued(await sale.issue(participant)),
        () => entities.changeHiddenEntities({ clientUuid: randomUUID(), hiddenEntityUuids: [entityUuid] }),
        () => service().as("auth").entities.closeAccount({ accountUuid }),
      ];
      for (const use of uses) {
        const before = await locks();
        await use();
        expect(await locks()).toBe(before + 1n);
      }
      const account = query
        .selectFrom("entities_account")
        .select("locks")
        .where("account", "=", bytesOfHex(accountUuid));
      expect(BigInt((await account.executeTakeFirstOrThrow()).locks ?? 0n)).toBe(1n);
    },
  );

  it("never exceeds the number of wallets: 200 requests at once of one entity over 40 wallets", async () => {
    const sale = await PermitSale.open(service(), { rules: { wallets: wallets(7) } });
    const participant = await sale.participant(email());
    const addresses = Array.from({ length: 40 }, newAddress);
    const results = await Promise.all(
      Array.from({ length: 200 }, (_, number) => sale.issue(participant, addresses[number % 40])),
    );
    const given = results.filter((result) => typeof result !== "number");
    const others = new Set(results.filter((result) => typeof result === "number"));
    expect(new Set(given.map(({ permit }) => permit?.wallet)).size).toBe(7);
    expect(given).toHaveLength(35);
    expect([...others]).toEqual([FailureReason.MAX_WALLETS_USED]);
    expect((await service().permits.countPermits({ saleUuid: sale.saleUuid })).wallets).toBe(7n);
  });
});
