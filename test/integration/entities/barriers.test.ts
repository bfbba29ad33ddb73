import { Code, ConnectError } from "@connectrpc/connect";
import { beforeEach, describe, expect, it } from "vitest";
import { SaleStage, SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { Upstreams } from "../../../services/entities/access/upstreams.ts";
import { completeStops } from "../../../services/entities/permits/complete-stop.ts";
import { eraseSale } from "../../../services/entities/permits/erase-sale.ts";
import { readStop } from "../../../services/entities/permits/sale-permits-store.ts";
import { rulesMessage } from "../../../services/entities/rules/rules-message.ts";
import { writeRules } from "../../../services/entities/rules/rules-store.ts";
import { GROUP_UUID, sampleRules } from "../../../services/entities/testing/sample-rules.ts";
import { bytesOfHex } from "../../../services/shared/encoding/hex.ts";
import { describeCommitments } from "../../support/commitments-fixture.ts";
import { describeEntities } from "../../support/entities-fixture.ts";
import { newAddress } from "../../support/participation-sale.ts";
import {
  applyUnderLease,
  auction,
  draftSale,
  evmSource,
  openedSale,
  record,
  refusal,
} from "../../support/sale-messages.ts";

const DEFINITION = auction({ source: evmSource() });
const contract = { accepts: false };
const indexer = {
  checkPermitSigner: async () => ({ accepted: contract.accepts, problem: "" }),
} as unknown as Upstreams["indexer"];

const hooks = { afterRecord: async () => {} };

type SaleTable = "sale_rules" | "permit_key" | "group_member" | "denied_wallet" | "freeze" | "participant_count";

describeEntities(
  "what stops permits",
  (service) => {
    let saleUuid: string;
    const dependencies = () => {
      const { database, auth } = service();
      return { database, clock: auth.time.now, ...auth.commitments.as("entities") };
    };
    const stopped = () => service().database.read((query) => readStop(query, saleUuid));
    const completeAll = () => completeStops(dependencies(), new AbortController().signal);
    const opened = async () => {
      await service().applicationOf(saleUuid);
      await service().auth.commitments.sales.openSale({ saleUuid, overrideConfirmName: DEFINITION.name ?? "" });
    };
    const enable = () => {
      const { database } = service();
      return database.write((transaction) =>
        writeRules(transaction, saleUuid, { rules: sampleRules(), expectedVersion: 0n }, 0n),
      );
    };
    const rowsOf = async (table: SaleTable) =>
      (
        await service()
          .database.query.selectFrom(table)
          .select("sale")
          .where("sale", "=", bytesOfHex(saleUuid))
          .execute()
      ).length;
    beforeEach(async () => {
      contract.accepts = true;
      hooks.afterRecord = async () => {};
      saleUuid = await draftSale(service().auth.commitments, DEFINITION);
    });

    describe("the opening of a sale in which people take part", () => {
      it("wants an active key that the contract knows", async () => {
        await enable();
        const problem = async () => (await refusal(opened())).message;
        expect(await problem()).toContain("no key for the chain ethereum is active");
        const { key } = await service().permits.createKey({ saleUuid });
        expect(await problem()).toContain("no key");
        await service().permits.activateKey({ saleUuid, keyUuid: key?.keyUuid ?? "" });
        contract.accepts = false;
        expect(await problem()).toContain(key?.address);
        contract.accepts = true;
        await opened();
      });

      it("wants, of a live sale, identity checks that aren't the demo's", async () => {
        await enable();
        const { key } = await service().permits.createKey({ saleUuid });
        await service().permits.activateKey({ saleUuid, keyUuid: key?.keyUuid ?? "" });
        const { permits } = service().as("commitments");
        await permits.admitOpening({ saleUuid, live: false });
        expect((await refusal(permits.admitOpening({ saleUuid, live: true }))).message).toContain("IDENTITY_PROVIDER");
      });

      it("wants nothing while taking part is off", async () => {
        await opened();
      });
    });

    describe("a stop", () => {
      it("comes before a settlement", async () => {
        saleUuid = await draftSale(service().auth.commitments, auction());
        await opened();
        expect(await stopped()).toBeUndefined();
        await service().auth.commitments.sales.settleSale({ saleUuid });
        expect(await stopped()).toMatchObject({ stoppedAtMs: service().auth.time.now() });
      });

      it("comes before the contract's stage is stored that takes no bids, and only then", async () => {
        await opened();
        const { commitments } = service().auth;
        await applyUnderLease(commitments, saleUuid, { stage: SaleStage.PRE_OPEN });
        await applyUnderLease(commitments, saleUuid, { stage: SaleStage.COMMITMENT, upserts: [record(1)] });
        expect(await stopped()).toBeUndefined();
        await applyUnderLease(commitments, saleUuid, { stage: SaleStage.CANCELLATION });
        expect(await stopped()).toBeDefined();
      });

      it("lasts until the sale was read two minutes later, and another one begins anew", async () => {
        const { time } = service().auth;
        const stop = () => service().as("commitments").permits.stopPermits({ saleUuid });
        await stop();
        time.advance(119_999);
        await completeAll();
        expect(await stopped()).toBeDefined();
        await stop();
        time.advance(119_999);
        await completeAll();
        expect(await stopped()).toBeDefined();
        time.advance(1);
        await completeAll();
        expect(await stopped()).toBeUndefined();
      });

      it("doesn't end while the commitments service is away, and others end meanwhile", async () => {
        const other = await draftSale(service().auth.commitments, DEFINITION);
        const { permits } = service().as("commitments");
        await permits.stopPermits({ saleUuid });
        await permits.stopPermits({ saleUuid: other });
        service().auth.time.advance(120_000);
        const { sales, ...rest } = dependencies();
        const away: typeof sales.getSale = (request, options) =>
          request.saleUuid === saleUuid
            ? Promise.reject(new ConnectError("away", Code.Unavailable))
            : sales.getSale(request, options);
        const partly = completeStops({ ...rest, sales: { getSale: away } }, new AbortController().signal);
        await expect(partly).rejects.toThrow("away");
        expect(await stopped()).toBeDefined();
        expect(await service().database.read((query) => readStop(query, other))).toBeUndefined();
      });
    });

    describe("a removed sale", () => {
      const fill = async () => {
        await enable();
        await service().permits.createKey({ saleUuid });
        const { database } = service();
        const members = Array.from({ length: 1_100 }, (_, number) => ({
          sale: bytesOfHex(saleUuid),
          member: Buffer.from(`${number}`.padStart(16, "0")),
          member_group: Buffer.alloc(16),
          key_kind: "wallet" as const,
          key_mac: Buffer.from(`${number}`.padStart(32, "0")),
          key_value: Buffer.alloc(20),
          min_amount: null,
          max_amount: null,
        }));
        await database.write((transaction) => transaction.insertInto("group_member").values(members).execute());
      };
      const left = async () => [await rowsOf("sale_rules"), await rowsOf("permit_key"), await rowsOf("group_member")];

      it("is erased with its deletion", async () => {
        await fill();
        expect(await left()).toEqual([1, 1, 1_100]);
        const name = DEFINITION.name ?? "";
        await service().auth.commitments.sales.deleteDraft({ saleUuid, confirmName: name });
        expect(await left()).toEqual([0, 0, 0]);
      });

      it("gets no members, wallets, rules or keys from calls that were admitted before its deletion", async () => {
        await enable();
        const { sales } = service().auth.commitments;
        const { eligibility, permits } = service();
        const draft = { saleUuid, confirmName: DEFINITION.name ?? "" };
        const members = [{ groupUuid: GROUP_UUID, key: { case: "email", value: "a@example.com" } } as const];
        const wallets = [newAddress()];
        const rules = rulesMessage(sampleRules({ enabled: false }));
        const calls: (() => Promise<unknown>)[] = [
          () => eligibility.importMembers({ saleUuid, members }),
          () => eligibility.changeDenyList({ saleUuid, wallets }),
          () => eligibility.updateRules({ saleUuid, rules, expectedVersion: 1n }),
          () => eligibility.setFreeze({ saleUuid, saleSpecificEntityId: new Uint8Array(16).fill(1), frozen: true }),
          () => permits.createKey({ saleUuid }),
        ];
        const recorded = calls.map(() => Promise.withResolvers<void>());
        let waiting = 0;
        const erased = Promise.withResolvers<void>();
        hooks.afterRecord = () => {
          recorded[waiting++]?.resolve();
          return erased.promise;
        };
        const refusals = calls.map((call) => refusal(call()));
        await Promise.all(recorded.map(({ promise }) => promise));
        await sales.deleteDraft(draft);
        erased.resolve();
        for (const refused of await Promise.all(refusals)) {
          expect(refused).toMatchObject({ code: "failed_precondition", message: expect.stringContaining("erased") });
        }
        expect(await left()).toEqual([0, 0, 0]);
        expect([await rowsOf("denied_wallet"), await rowsOf("freeze"), await rowsOf("participant_count")]).toEqual([
          0, 0, 0,
        ]);
      });

      it("gets no denied wallets while its long lists are being erased", async () => {
        await fill();
        const { database, auth } = service();
        const refusals: unknown[] = [];
        const between = {
          dialect: database.dialect,
          writeExclusive: database.writeExclusive.bind(database),
          write: database.write.bind(database),
          read: async (work: Parameters<typeof database.read>[0]) => {
            refusals.push(await refusal(service().eligibility.changeDenyList({ saleUuid, wallets: [newAddress()] })));
            return database.read(work);
          },
        } as unknown as typeof database;
        await eraseSale({ database: between, clock: auth.time.now }, saleUuid);
        expect(refusals.length).toBeGreaterThan(3);
        for (const refused of refusals) expect(refused).toMatchObject({ code: "failed_precondition" });
        expect([...(await left()), await rowsOf("denied_wallet")]).toEqual([0, 0, 0, 0]);
      });

      it("is erased by itself where nobody could say that it is gone", async () => {
        await opened();
        await fill();
        const { sales } = service().auth.commitments;
        const { permits } = service().as("commitments");
        await permits.stopPermits({ saleUuid });
        await permits.eraseSale({ saleUuid });
        await completeAll();
        expect(await left()).toEqual([1, 1, 1_100]);
        const { sale } = await sales.withdrawSale({ saleUuid, confirmName: DEFINITION.name ?? "" });
        expect(sale?.status).toBe(SaleStatus.WITHDRAWN);
        expect(await left()).toEqual([0, 0, 0]);
        await completeAll();
        expect(await left()).toEqual([0, 0, 0]);
      });
    });
  },
  {
    indexer,
    afterRecord: () => hooks.afterRecord(),
    identity: { provider: "demo", reviewers: new Set(), approvalLifetimeMs: 0n },
  },
);

describeCommitments(
  "while the entities service is away",
  (service) => {
    it("a sale isn't settled, withdrawn or opened, and figures go on", async () => {
      const fails = async (call: Promise<unknown>) =>
        expect(await refusal(call)).toMatchObject({ code: "unavailable" });
      const { sales } = service();
      const draft = await draftSale(service());
      away.opening = true;
      await fails(sales.openSale({ saleUuid: draft }));
      away.opening = false;
      const fed = await openedSale(service());
      await fails(sales.settleSale({ saleUuid: fed }));
      await fails(sales.withdrawSale({ saleUuid: fed, confirmName: "Auction" }));
      await fails(sales.deleteDraft({ saleUuid: draft, confirmName: "Auction" }));
      const read = await openedSale(service(), DEFINITION);
      await applyUnderLease(service(), read, { stage: SaleStage.COMMITMENT });
      await applyUnderLease(service(), read, { stage: SaleStage.SETTLEMENT });
      expect((await sales.getSale({ saleUuid: read })).sale?.stage).toBe(SaleStage.SETTLEMENT);
      expect((await sales.getSale({ saleUuid: fed })).sale?.status).toBe(SaleStatus.OPEN);
    });
  },
  { permits: awayPermits() },
);

const away = { opening: false };

function awayPermits() {
  const refuse = () => Promise.reject(new ConnectError("away", Code.Unavailable));
  return {
    admitOpening: async () => (away.opening ? refuse() : ({} as never)),
    stopPermits: refuse,
    eraseSale: refuse,
  };
}
