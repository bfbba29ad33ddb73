import { randomUUID } from "node:crypto";
import { Code, ConnectError } from "@connectrpc/connect";
import { beforeEach, describe, expect, it } from "vitest";
import { SaleStage, SaleStatus, Tenancy } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { Upstreams } from "../../../services/entities/base/upstreams.ts";
import { completeStops } from "../../../services/entities/permits/complete-stop.ts";
import { readStop } from "../../../services/entities/permits/sale-permits-store.ts";
import { describeCommitments } from "../../support/processes/commitments-fixture.ts";
import { describeEntities } from "../../support/processes/entities-fixture.ts";
import { entitiesSale } from "../../support/sales/entities-sale.ts";
import {
  applyUnderLease,
  auction,
  draftSale,
  evmSource,
  openedSale,
  record,
  refusal,
} from "../../support/sales/sale-messages.ts";

const DEFINITION = auction({ source: evmSource() });
const contract = { accepts: false };
const indexer = {
  checkPermitSigner: async () => ({ accepted: contract.accepts, problem: "" }),
  checkSource: async () => ({ readable: true, problems: [] }),
} as unknown as Upstreams["indexer"];

describeEntities(
  "what stops permits",
  (service) => {
    let saleUuid: string;
    const sale = { service, saleUuid: () => saleUuid, name: DEFINITION.name ?? "" };
    const { dependencies, completeAll, opened, enable } = entitiesSale(sale);
    const stopped = () => service().database.read((query) => readStop(query, saleUuid));
    beforeEach(async () => {
      contract.accepts = true;
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

      it("lists all that it would refuse", async () => {
        const { permits } = service();
        const names = async () => (await permits.listOpeningProblems({ saleUuid })).problems.map(({ name }) => name);
        expect(await names()).toEqual([]);
        await enable();
        const { problems } = await permits.listOpeningProblems({ saleUuid });
        expect(problems).toMatchObject([{ name: "key" }]);
        expect((await refusal(opened())).message).toContain(problems[0]?.text);
        const { key } = await permits.createKey({ saleUuid });
        await permits.activateKey({ saleUuid, keyUuid: key?.keyUuid ?? "" });
        expect(await names()).toEqual([]);
        contract.accepts = false;
        expect(await names()).toEqual(["signer"]);
        saleUuid = randomUUID();
        const live = { saleUuid, tenancy: Tenancy.LIVE, definition: DEFINITION };
        await service().auth.commitments.sales.createSale(live);
        await enable();
        expect(await names()).toEqual(["identity_provider", "key"]);
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
        await service().auth.commitments.sales.settleSale({ saleUuid, confirmName: "Auction" });
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
        const { sales, clock, ...rest } = dependencies();
        // Only here is it two minutes later: the service itself would end the stop.
        const later = () => clock() + 120_000n;
        const away: typeof sales.getSale = (request, options) =>
          request.saleUuid === saleUuid
            ? Promise.reject(new ConnectError("away", Code.Unavailable))
            : sales.getSale(request, options);
        const partly = completeStops({ ...rest, clock: later, sales: { getSale: away } }, new AbortController().signal);
        await expect(partly).rejects.toThrow("away");
        expect(await stopped()).toBeDefined();
        expect(await service().database.read((query) => readStop(query, other))).toBeUndefined();
      });
    });
  },
  {
    indexer,
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
      await fails(sales.settleSale({ saleUuid: fed, confirmName: "Auction" }));
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
