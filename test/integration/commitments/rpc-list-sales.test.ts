import { expect, it } from "vitest";
import { SaleStatus, Tenancy } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { describeCommitments } from "../../support/processes/commitments-fixture.ts";
import { auction, violatedFields } from "../../support/sales/sale-messages.ts";

const uuidOf = (digit: number) => `${String(digit).repeat(8)}-0000-4000-8000-000000000000`;
const ALL = [1, 2, 3, 4, 5].map(uuidOf);

describeCommitments("ListSales", (service) => {
  it("begins with none", async () => {
    expect(await service().sales.listSales({})).toMatchObject({ sales: [], nextPageToken: "" });
  });

  it("lists all sales by UUID, a page at a time", async () => {
    for (const saleUuid of ALL.toReversed()) {
      await service().sales.createSale({ saleUuid, tenancy: Tenancy.TEST, definition: auction() });
    }
    expect(await pages(2)).toEqual([ALL.slice(0, 2), ALL.slice(2, 4), ALL.slice(4)]);
    expect(await pages(5)).toEqual([ALL]);
    expect(await pages(0)).toEqual([ALL]);
  });

  it("lists those of one status", async () => {
    for (const number of [2, 4, 5]) await service().sales.openSale({ saleUuid: uuidOf(number) });
    await service().sales.settleSale({ saleUuid: uuidOf(5), confirmName: "Auction" });
    expect(await pages(1, SaleStatus.OPEN)).toEqual([[uuidOf(2)], [uuidOf(4)]]);
    expect(await pages(9, SaleStatus.DRAFT)).toEqual([[uuidOf(1), uuidOf(3)]]);
    expect(await pages(9, SaleStatus.SETTLED)).toEqual([[uuidOf(5)]]);
  });

  it("returns of each sale the same as GetSale", async () => {
    const { sales } = await service().sales.listSales({ pageSize: 1 });
    expect(sales).toEqual([(await service().sales.getSale({ saleUuid: uuidOf(1) })).sale]);
  });

  it("continues after a listed sale, even if new ones were created before it", async () => {
    const { nextPageToken } = await service().sales.listSales({ pageSize: 2 });
    await service().sales.createSale({ saleUuid: uuidOf(0), tenancy: Tenancy.TEST, definition: auction() });
    const { sales } = await service().sales.listSales({ pageSize: 2, pageToken: nextPageToken });
    expect(sales.map(({ uuid }) => uuid)).toEqual([uuidOf(3), uuidOf(4)]);
  });

  it.each([
    ["a page of 501", { pageSize: 501 }, "page_size"],
    ["an invalid page token", { pageToken: "!" }, "page_token"],
    ["a page token of another list", { pageToken: Buffer.alloc(32).toString("base64url") }, "page_token"],
    ["a page token of 201 characters", { pageToken: "A".repeat(201) }, "page_token"],
    ["an unknown status", { status: 9 as SaleStatus }, "status"],
  ])("refuses %s", async (_, request, field) => {
    expect(await violatedFields(service().sales.listSales(request))).toEqual([field]);
  });

  /** The UUIDs, page by page, to the last one. */
  async function pages(pageSize: number, status: SaleStatus = SaleStatus.UNSPECIFIED): Promise<string[][]> {
    const listed: string[][] = [];
    let pageToken = "";
    do {
      const page = await service().sales.listSales({ pageSize, pageToken, status });
      listed.push(page.sales.map(({ uuid }) => uuid));
      pageToken = page.nextPageToken;
    } while (pageToken !== "");
    return listed;
  }
});
