import { randomUUID } from "node:crypto";
import { fromBinary } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { SALE_UPDATED_SUBJECTS } from "../../../common/internal-api/commitment-subjects.ts";
import { LocalBus } from "../../../common/platform/bus/local-bus.ts";
import { SaleStatus, Tenancy } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { type SaleUpdated, SaleUpdatedSchema } from "../../../proto/gen/tidemark/commitments/v1/sale_updated_pb.ts";
import { expectUnchanged } from "../../support/databases/sale-tables.ts";
import { describeCommitments } from "../../support/processes/commitments-fixture.ts";
import {
  apply,
  applyUnderLease,
  auction,
  draftSale,
  evmSource,
  openedSale,
  record,
  refusal,
} from "../../support/sales/sale-messages.ts";

const NAME = auction().name ?? "";

const bus = new LocalBus();
const events: SaleUpdated[] = [];
bus.listen(SALE_UPDATED_SUBJECTS, {
  event: ({ payload }) => events.push(fromBinary(SaleUpdatedSchema, payload)),
  gap: () => {},
});

describeCommitments(
  "WithdrawSale and DeleteDraft",
  (service) => {
    const withdraw = (saleUuid: string, confirmName = NAME) => service().sales.withdrawSale({ saleUuid, confirmName });
    const deleteDraft = (saleUuid: string, confirmName = NAME) =>
      service().sales.deleteDraft({ saleUuid, confirmName });

    it("takes a withdrawn sale out of the public", async () => {
      const saleUuid = await openedSale(service());
      await apply(service(), saleUuid, { upserts: [record(1)] });
      const watch = service().commitments.watchCommitmentData({ saleUuid })[Symbol.asyncIterator]();
      await watch.next();

      const { sale } = await withdraw(saleUuid);

      expect(sale).toMatchObject({ status: SaleStatus.WITHDRAWN, revision: 4n, hasSnapshot: false });
      expect(await refusal(watch.next())).toMatchObject({ code: "not_found" });
      const { commitments } = service();
      for (const read of [
        () => commitments.getCommitmentData({ saleUuid }),
        () => commitments.getHistory({ saleUuid }),
        () => commitments.getPriceLevels({ saleUuid }),
        () => commitments.listCommitments({ saleUuid }),
        () => commitments.watchCommitmentData({ saleUuid })[Symbol.asyncIterator]().next(),
      ]) {
        expect(await refusal(read())).toMatchObject({ code: "not_found" });
      }
      expect((await commitments.getRevisions({ saleUuids: [saleUuid] })).revisions).toEqual([]);
      await expect
        .poll(() => events.filter((event) => event.saleUuid === saleUuid).at(-1))
        .toMatchObject({
          revision: 4n,
          status: SaleStatus.WITHDRAWN,
          readable: false,
        });
    });

    it("refuses whatever would change a withdrawn sale", async () => {
      const saleUuid = await openedSale(service(), auction({ source: evmSource() }));
      const leaseEpoch = await applyUnderLease(service(), saleUuid, { upserts: [record(1)] });
      await withdraw(saleUuid);
      const { sales, commitments } = service();
      const lease = { saleUuid, holder: "reader", duration: { seconds: 60n } };
      const definition = auction({ name: "Another" });
      for (const change of [
        () => apply(service(), saleUuid, { upserts: [record(2)], leaseEpoch }),
        () => commitments.acquireSaleLease(lease),
        () => commitments.requestSweep({ saleUuid }),
        () => sales.updateSale({ saleUuid, definition, expectedDefinitionVersion: 1n }),
        () => sales.openSale({ saleUuid }),
        () => sales.settleSale({ saleUuid, confirmName: "Auction" }),
        () => withdraw(saleUuid),
        () => deleteDraft(saleUuid),
      ]) {
        const error = await expectUnchanged(service().database, saleUuid, () => refusal(change()));
        expect(error).toMatchObject({ code: "failed_precondition", message: expect.stringContaining("withdrawn") });
      }
      const again = sales.createSale({ saleUuid, tenancy: Tenancy.TEST, definition: auction() });
      expect(await refusal(again)).toMatchObject({ code: "already_exists" });
    });

    it("withdraws a settled sale, and one with an open change set", async () => {
      const settled = await openedSale(service());
      await service().sales.settleSale({ saleUuid: settled, confirmName: "Auction" });
      expect((await withdraw(settled)).sale).toMatchObject({ status: SaleStatus.WITHDRAWN });
      const torn = await openedSale(service());
      await apply(service(), torn, { changeSet: { changeSetUuid: randomUUID(), part: 0, last: false } });
      expect((await withdraw(torn)).sale).toMatchObject({ status: SaleStatus.WITHDRAWN, changeSetOpen: false });
    });

    it("wants the sale's name, and leaves a draft to its deletion", async () => {
      const open = await openedSale(service());
      const draft = await draftSale(service());
      for (const [saleUuid, call, code] of [
        [open, () => withdraw(open, `${NAME} `), "invalid_argument"],
        [draft, () => deleteDraft(draft, NAME.toLowerCase()), "invalid_argument"],
        [draft, () => withdraw(draft), "failed_precondition"],
        [open, () => deleteDraft(open), "failed_precondition"],
      ] as const) {
        const error = await expectUnchanged(service().database, saleUuid, () => refusal(call()));
        expect(error).toMatchObject({ code });
      }
    });

    it("deletes a draft without a trace, so that its UUID can be used again", async () => {
      const saleUuid = await draftSale(service());
      const definition = auction({ name: "Renamed" });
      await service().sales.updateSale({ saleUuid, definition, expectedDefinitionVersion: 1n });
      await deleteDraft(saleUuid, "Renamed");
      expect(await refusal(service().sales.getSale({ saleUuid }))).toMatchObject({ code: "not_found" });
      expect(await refusal(deleteDraft(saleUuid))).toMatchObject({ code: "not_found" });

      await service().sales.createSale({ saleUuid, tenancy: Tenancy.TEST, definition: auction() });
      await service().sales.openSale({ saleUuid });
      const { revision } = await apply(service(), saleUuid, { upserts: [record(1)] });
      expect(revision).toBe(3n);
      expect(await service().commitments.getCommitmentData({ saleUuid })).toMatchObject({
        data: { commitmentCount: 1n },
      });
    });

    it("leaves both to founders", async () => {
      const saleUuid = await openedSale(service());
      for (const [caller, code] of [
        ["gateway", "unauthenticated"],
        ["indexer", "permission_denied"],
        ["feeder", "permission_denied"],
      ] as const) {
        const { sales } = service().as(caller);
        const removal = { saleUuid, confirmName: NAME };
        expect(await refusal(sales.withdrawSale(removal))).toMatchObject({ code });
        expect(await refusal(sales.deleteDraft(removal))).toMatchObject({ code });
      }
    });
  },
  { bus },
);
