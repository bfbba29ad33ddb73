import { expect, it } from "vitest";
import { SaleStage } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { describeCommitments } from "../../support/processes/commitments-fixture.ts";
import {
  type ApplyInit,
  apply,
  auction,
  auctionPricing,
  evmSource,
  idBytes,
  openedSale,
  record,
} from "../../support/sales/sale-messages.ts";

const at = (height: bigint) => ({ height, hash: idBytes(Number(height)) });

describeCommitments("the block of a sale's last change", (service) => {
  it("is that of the last apply that made a revision, and no founder's entry moves it", async () => {
    const definition = auction({ source: evmSource() });
    const saleUuid = await openedSale(service(), definition);
    const duration = { seconds: 60n };
    await service().commitments.acquireSaleLease({ saleUuid, holder: "reader-1", duration });
    const changedAt = async () => {
      const { sale } = await service().sales.getSale({ saleUuid });
      const { changedPosition, revision } = await service().commitments.getCommitmentData({ saleUuid });
      expect(sale).toMatchObject({ revision, ...(changedPosition && { changedPosition }) });
      return changedPosition?.height;
    };
    const set = { changeSetUuid: "33333333-3333-4333-8333-333333333333" };
    const steps: readonly [string, ApplyInit, bigint | undefined][] = [
      ["the first snapshot", { upserts: [record(1)], stage: SaleStage.COMMITMENT, sourcePosition: at(1n) }, 1n],
      ["nothing new", { sourcePosition: at(2n) }, 1n],
      ["the same row", { upserts: [record(1)], sourcePosition: at(3n) }, 1n],
      ["another row", { upserts: [record(2)], sourcePosition: at(4n) }, 4n],
      ["a stage", { stage: SaleStage.CANCELLATION, sourcePosition: at(5n) }, 5n],
      ["a part", { upserts: [record(3)], sourcePosition: at(6n), changeSet: { ...set, part: 0, last: false } }, 5n],
      ["the last part", { sourcePosition: at(6n), changeSet: { ...set, part: 1, last: true } }, 6n],
      ["a re-organisation", { removals: [idBytes(2)], sourcePosition: at(5n) }, 5n],
      ["no position", { upserts: [record(4)] }, undefined],
      ["a position again", { upserts: [record(5)], sourcePosition: at(7n) }, 7n],
    ];
    for (const [name, request, expected] of steps) {
      await apply(service(), saleUuid, { leaseEpoch: 1n, ...request });
      expect([name, await changedAt()]).toEqual([name, expected]);
    }
    const expectedDefinitionVersion = 1n;
    const renamed = { ...definition, name: "X" };
    await service().sales.updateSale({ saleUuid, definition: renamed, expectedDefinitionVersion });
    expect(await changedAt()).toBe(7n);
    const mended = { ...renamed, pricing: auctionPricing({ offeredAmount: "12345" }) };
    await service().sales.updateSale({ saleUuid, definition: mended, expectedDefinitionVersion: 2n });
    expect(await changedAt()).toBeUndefined();
  });

  it("is none once the sale was settled by a call", async () => {
    const saleUuid = await openedSale(service());
    await apply(service(), saleUuid, { upserts: [record(1)], sourcePosition: at(1n) });
    const changedAt = async () => (await service().commitments.getCommitmentData({ saleUuid })).changedPosition?.height;
    expect(await changedAt()).toBe(1n);
    await service().sales.settleSale({ saleUuid, confirmName: "Auction" });
    expect(await changedAt()).toBeUndefined();
  });
});
