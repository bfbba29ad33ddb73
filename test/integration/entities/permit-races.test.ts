import { randomUUID } from "node:crypto";
import { Code } from "@connectrpc/connect";
import { toHex } from "viem/utils";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { SaleStage } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { FailureReason } from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import { sampleGroup, sampleRules } from "../../../services/entities/testing/sample-rules.ts";
import { describeEntities, type EntitiesFixture } from "../../support/processes/entities-fixture.ts";
import { startPausingSigner } from "../../support/processes/pausing-signer.ts";
import { startWalletScreener } from "../../support/processes/wallet-screener.ts";
import { newAddress, type Participant, PermitSale } from "../../support/sales/taking-part-sale.ts";

const signer = await startPausingSigner();
const screener = await startWalletScreener();
afterAll(() => {
  signer.stop();
  screener.stop();
});

interface Race {
  readonly service: EntitiesFixture;
  readonly sale: PermitSale;
  readonly participant: Participant;
  readonly wallet: string;
}

const HOUR = 3_600n;

/** A change between the check of a permit and its record, and the result of the request. */
const RACES: readonly [string, (race: Race) => Promise<unknown>, FailureReason][] = [
  ["taking part is turned off", ({ sale }) => sale.setRules({ enabled: false }), FailureReason.SALE_NOT_ACTIVE],
  [
    "permits are stopped",
    ({ service, sale: { saleUuid } }) => service.as("commitments").permits.stopPermits({ saleUuid }),
    FailureReason.SALE_NOT_ACTIVE,
  ],
  ["the contract's stage ends", ({ sale }) => sale.setStage(SaleStage.CANCELLATION), FailureReason.SALE_NOT_ACTIVE],
  [
    "the sale is withdrawn",
    ({ service, sale: { saleUuid } }) => {
      const { sales } = service.auth.commitments;
      return sales.withdrawSale({ saleUuid, confirmName: "Auction" });
    },
    FailureReason.SALE_NOT_ACTIVE,
  ],
  [
    "the window is moved",
    ({ sale }) => sale.setRules({ groups: [sampleGroup({ closesAt: 1n })] }),
    FailureReason.OUTSIDE_TIME_WINDOW,
  ],
  [
    "the window closes by itself",
    async ({ service }) => service.auth.time.advance(2n * HOUR * 1_000n),
    FailureReason.OUTSIDE_TIME_WINDOW,
  ],
  [
    "the entity is frozen",
    ({ service, sale: { saleUuid }, participant }) => {
      const saleSpecificEntityId = Uint8Array.from(participant.saleEntity.saleSpecificId);
      return service.eligibility.setFreeze({ saleUuid, saleSpecificEntityId, frozen: true });
    },
    FailureReason.UNKNOWN,
  ],
  [
    "the entity's approval is taken back",
    ({ service, participant }) =>
      service.database.query
        .updateTable("entity")
        .set({ setup_state: "failure" })
        .where("entity", "=", bytesOfHex(participant.entity.uuid))
        .execute(),
    FailureReason.UNKNOWN,
  ],
  [
    "the account is closed",
    ({ service, participant }) =>
      service.as("auth").entities.closeAccount({ accountUuid: participant.session.accountUuid }),
    FailureReason.UNKNOWN,
  ],
  [
    "the wallet is denied",
    ({ service, sale: { saleUuid }, wallet }) => service.eligibility.changeDenyList({ saleUuid, wallets: [wallet] }),
    FailureReason.WALLET_RISK,
  ],
  [
    "another entity gets the wallet",
    async ({ sale, wallet }) => sale.issue(await sale.participant(`${randomUUID()}@example.com`), wallet),
    FailureReason.WALLET_NOT_LINKED,
  ],
  [
    "the entity's last wallet is used",
    ({ sale, participant }) => sale.issue(participant, newAddress()),
    FailureReason.MAX_WALLETS_USED,
  ],
];

describeEntities(
  "between the check of a permit and its record",
  (service) => {
    let sale: PermitSale;
    let participant: Participant;
    const closesAt = () => service().auth.time.now() / 1_000n + HOUR;
    const rules = (given: object = {}) => ({
      groups: [sampleGroup({ closesAt: closesAt() })],
      wallets: {
        ...{ maxWalletsPerEntity: 1, linkingRequired: false, denyList: true, screenerUrl: "" },
        onScreeningFailure: "closed" as const,
      },
      ...given,
    });
    const permits = async () =>
      (await service().permits.listPermits({ saleUuid: sale.saleUuid })).permits.filter(
        ({ saleSpecificEntityId }) => toHex(saleSpecificEntityId) === toHex(participant.saleEntity.saleSpecificId),
      );
    beforeEach(async () => {
      signer.signed.length = 0;
      screener.asked.length = 0;
      screener.risk = false;
      sale = await PermitSale.open(service(), { rules: rules() });
      participant = await sale.participant(`${randomUUID()}@example.com`);
    });

    describe("no permit is issued if", () => {
      it.each(RACES)("%s", async (_, change, reason) => {
        const wallet = newAddress();
        signer.before = () => change({ service: service(), sale, participant, wallet });
        expect(await sale.issue(participant, wallet)).toBe(reason);
        expect(signer.signed.length).toBeGreaterThan(0);
        expect((await permits()).filter((permit) => permit.wallet.toLowerCase() === wallet)).toEqual([]);
      });

      it("a screener is switched on that refuses the wallet", async () => {
        screener.risk = true;
        const wallets = { ...sampleRules().wallets, screenerUrl: screener.url };
        signer.before = () => sale.setRules(rules({ wallets }));
        expect(await sale.issue(participant)).toBe(FailureReason.WALLET_RISK);
        expect(await permits()).toEqual([]);
      });

      it("the entity is deleted", async () => {
        signer.before = async () =>
          (await service().asPerson(participant.session)).entities.deleteEntity({
            entityUuid: participant.entity.uuid,
          });
        await expect(sale.issue(participant)).rejects.toMatchObject({ code: Code.NotFound });
        expect(await permits()).toEqual([]);
      });
    });

    describe("the permit is made anew if", () => {
      it("its limits change", async () => {
        signer.before = () => sale.setRules(rules({ groups: [sampleGroup({ maxAmount: 5n })] }));
        expect(await sale.issue(participant)).toMatchObject({ permit: { maxAmount: "5" } });
        expect(signer.signed).toHaveLength(2);
        expect((await permits()).map(({ maxAmount }) => maxAmount)).toEqual(["5"]);
      });

      it("a screener is switched on, which is then asked", async () => {
        const wallet = newAddress();
        const wallets = { ...sampleRules().wallets, screenerUrl: screener.url };
        signer.before = () => sale.setRules(rules({ wallets }));
        expect(await sale.issue(participant, wallet)).toHaveProperty("permit");
        expect(signer.signed).toHaveLength(2);
        expect(screener.asked.map((asked) => asked.toLowerCase())).toEqual([wallet]);
      });

      it("wallets may no longer pass while their screener fails", async () => {
        screener.risk = undefined;
        const wallets = { ...sampleRules().wallets, screenerUrl: screener.url };
        await sale.setRules(rules({ wallets: { ...wallets, onScreeningFailure: "open" } }));
        signer.before = () => sale.setRules(rules({ wallets: { ...wallets, onScreeningFailure: "closed" } }));
        expect(await sale.issue(participant)).toBe(FailureReason.WALLET_RISK);
        expect(await permits()).toEqual([]);
      });

      it("its key is replaced", async () => {
        signer.before = () => sale.newKey();
        const issued = await sale.issue(participant);
        const { keys } = await service().permits.listKeys({ saleUuid: sale.saleUuid });
        expect(signer.signed).toEqual([keys[1]?.address, keys[0]?.address]);
        expect((await permits()).map(({ keyUuid }) => keyUuid)).toEqual([keys[0]?.keyUuid]);
        expect(typeof issued).toBe("object");
      });
    });
  },
  { permitSigner: signer.config, outboundLoopback: true },
);
