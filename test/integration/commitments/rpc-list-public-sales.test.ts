import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { describeCommitments } from "../../support/processes/commitments-fixture.ts";
import { auction } from "../../support/sales/sale-messages.ts";

describeCommitments("ListPublicSales", (service) => {
  it("lists the open and the settled sales that their founders list, open ones first, then the newest", async () => {
    expect(await listed()).toEqual([]);
    const [settled, , open, newest, withdrawn] = [
      await sale({ isListed: true }),
      await sale({ isListed: true, isDraft: true }),
      await sale({ isListed: true }),
      await sale({ isListed: true }),
      await sale({ isListed: true }),
      await sale({ isListed: false }),
    ];
    await service().sales.settleSale({ saleUuid: settled, confirmName: "Auction" });
    await service().sales.withdrawSale({ saleUuid: withdrawn, confirmName: "Auction" });
    expect(new Set(await listed())).toEqual(new Set([open, newest, settled]));
    expect((await listed()).at(-1)).toBe(settled);
  });

  it("lists a sale as soon as its founder lists it, and no longer", async () => {
    const saleUuid = await sale({ isListed: false });
    await change(saleUuid, true, 1n);
    expect(await listed()).toContain(saleUuid);
    await change(saleUuid, false, 2n);
    expect(await listed()).not.toContain(saleUuid);
  });

  async function listed(): Promise<readonly string[]> {
    const { sales } = await service().as("gateway").commitments.listPublicSales({});
    return sales.map(({ saleUuid }) => saleUuid);
  }

  async function sale({ isListed, isDraft = false }: { isListed: boolean; isDraft?: boolean }): Promise<string> {
    const saleUuid = randomUUID();
    const presentation = { listed: isListed, description: "Public" };
    await service().sales.createSale({ saleUuid, tenancy: 1, definition: auction({ presentation }) });
    if (!isDraft) await service().sales.openSale({ saleUuid });
    return saleUuid;
  }

  async function change(saleUuid: string, isListed: boolean, expectedDefinitionVersion: bigint): Promise<void> {
    await service().sales.updateSale({
      saleUuid,
      expectedDefinitionVersion,
      definition: { presentation: { listed: isListed } },
      updateMask: { paths: ["presentation.listed"] },
    });
  }
});
