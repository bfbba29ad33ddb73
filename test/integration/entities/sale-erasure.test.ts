import { beforeEach, expect, it } from "vitest";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { eraseSale } from "../../../services/entities/permits/erase-sale.ts";
import { rulesMessage } from "../../../services/entities/rules/rules-message.ts";
import { GROUP_UUID, sampleRules } from "../../../services/entities/testing/sample-rules.ts";
import { describeEntities } from "../../support/processes/entities-fixture.ts";
import { entitiesSale } from "../../support/sales/entities-sale.ts";
import { auction, draftSale, evmSource, refusal } from "../../support/sales/sale-messages.ts";
import { newAddress } from "../../support/sales/taking-part-sale.ts";

const DEFINITION = auction({ source: evmSource() });
const hooks = { afterRecord: async () => {} };

/** The tables whose rows go with a sale. */
const ERASED = [
  "sale_rules",
  "permit_key",
  "group_member",
  "denied_wallet",
  "freeze",
  "participant_count",
  "liveness",
  "imported_entity_id",
] as const;

describeEntities(
  "a removed sale",
  (service) => {
    let saleUuid: string;
    const sale = { service, saleUuid: () => saleUuid, name: DEFINITION.name ?? "" };
    const { completeAll, opened, enable } = entitiesSale(sale);
    const rowsOf = async (table: (typeof ERASED)[number]) =>
      (
        await service()
          .database.query.selectFrom(table)
          .select("sale")
          .where("sale", "=", bytesOfHex(saleUuid))
          .execute()
      ).length;

    beforeEach(async () => {
      hooks.afterRecord = async () => {};
      saleUuid = await draftSale(service().auth.commitments, DEFINITION);
    });

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
      const sale = bytesOfHex(saleUuid);
      const id = Buffer.alloc(16, 1);
      const person = { sale, email: Buffer.alloc(32), type: "person", label: Buffer.alloc(32) } as const;
      await database.write(async (transaction) => {
        await transaction.insertInto("group_member").values(members).execute();
        await transaction
          .insertInto("denied_wallet")
          .values({ sale, wallet: Buffer.alloc(20) })
          .execute();
        await transaction.insertInto("freeze").values({ sale, sale_specific_id: id, note: "", since_ms: 0n }).execute();
        await transaction.insertInto("participant_count").values({ sale, members: 1_100n, denied: 1n }).execute();
        await transaction.insertInto("liveness").values({ sale, entity: id, proved_at_ms: 0n }).execute();
        const imported = { ...person, entity_uuid: id, sale_specific_id: id };
        await transaction.insertInto("imported_entity_id").values(imported).execute();
      });
    };
    const left = () => Promise.all(ERASED.map(rowsOf));
    const FILLED = [1, 1, 1_100, 1, 1, 1, 1, 1];
    const NOTHING = FILLED.map(() => 0);

    it("is erased with its deletion", async () => {
      await fill();
      expect(await left()).toEqual(FILLED);
      const name = DEFINITION.name ?? "";
      await service().auth.commitments.sales.deleteDraft({ saleUuid, confirmName: name });
      expect(await left()).toEqual(NOTHING);
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
      expect(await left()).toEqual(NOTHING);
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
      expect(await left()).toEqual(NOTHING);
    });

    it("is erased by itself where nobody could say that it is gone", async () => {
      await opened();
      await fill();
      const { sales } = service().auth.commitments;
      const { permits } = service().as("commitments");
      await permits.stopPermits({ saleUuid });
      await permits.eraseSale({ saleUuid });
      await completeAll();
      expect(await left()).toEqual(FILLED);
      const { sale } = await sales.withdrawSale({ saleUuid, confirmName: DEFINITION.name ?? "" });
      expect(sale?.status).toBe(SaleStatus.WITHDRAWN);
      expect(await left()).toEqual(NOTHING);
      await completeAll();
      expect(await left()).toEqual(NOTHING);
    });
  },
  { afterRecord: () => hooks.afterRecord() },
);
