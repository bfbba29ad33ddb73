import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { expect, it } from "vitest";
import { ListChangedSalesResponseSchema } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { type Sale, SaleSchema, SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import {
  GetSaleResponseSchema,
  ListSalesResponseSchema,
} from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { clientWith } from "../testing/stub-client.ts";
import { SaleListing } from "./sale-listing.ts";

const evm = { case: "evm" as const, value: { chain: "ethereum", contract: `0x${"c1".repeat(20)}` } };
const { signal } = new AbortController();

/** A commitments service with sales, which counts the calls that list them. */
class Service {
  readonly sales = new Map<string, Sale>();
  readonly calls = { listSales: 0, getSale: 0, listChangedSales: 0 };
  changed: string[] = [];
  complete = true;
  isOld = false;

  readonly client = clientWith(
    {
      listChangedSales: async ({ cursor }) => {
        this.calls.listChangedSales += 1;
        if (this.isOld) throw new ConnectError("no such method", Code.Unimplemented);
        const changed = this.changed.map((saleUuid) => {
          const { status = SaleStatus.UNSPECIFIED, definitionVersion = 0n } = this.sales.get(saleUuid) ?? {};
          return { saleUuid, status, definitionVersion };
        });
        const isFirst = cursor === "";
        const complete = this.complete && !isFirst;
        return create(ListChangedSalesResponseSchema, { changed: isFirst ? [] : changed, complete, cursor: "next" });
      },
    },
    {
      listSales: async () => {
        this.calls.listSales += 1;
        return create(ListSalesResponseSchema, { sales: [...this.sales.values()] });
      },
      getSale: async ({ saleUuid = "" }) => {
        this.calls.getSale += 1;
        const sale = this.sales.get(saleUuid);
        if (sale === undefined) throw new ConnectError("no such sale", Code.NotFound);
        return create(GetSaleResponseSchema, { sale });
      },
    },
  );

  set(uuid: string, change: Exclude<MessageInitShape<typeof SaleSchema>, { $typeName: unknown }> = {}): void {
    const sale = { uuid, status: SaleStatus.OPEN, definition: { source: evm }, definitionVersion: 1n, ...change };
    this.sales.set(uuid, create(SaleSchema, sale));
  }
}

/** Returns the sales of the next listing, each as its UUID with whether it has a source; "*" first if it is a whole one. */
async function next(listing: SaleListing): Promise<string[]> {
  const { isWhole, sales } = await listing.next(signal);
  const texts = isWhole ? ["*"] : [];
  for await (const { uuid, source } of sales) texts.push(source === undefined ? `${uuid} -` : uuid);
  return texts;
}

async function started(count = 2) {
  const service = new Service();
  for (let number = 0; number < count; number++) service.set(`sale ${number}`);
  const listing = new SaleListing(service.client);
  await next(listing);
  Object.assign(service.calls, { listSales: 0, getSale: 0, listChangedSales: 0 });
  return { service, listing };
}

it("asks once, however many sales there are, while none has changed", async () => {
  for (const count of [1, 10_000]) {
    const { service, listing } = await started(count);
    for (let round = 0; round < 15; round++) expect(await next(listing)).toEqual([]);
    expect(service.calls).toEqual({ listSales: 0, getSale: 0, listChangedSales: 15 });
  }
});

it("fetches a sale that is new, or whose status or definition has changed, and once", async () => {
  const { service, listing } = await started();
  service.set("new");
  service.set("sale 0", { definitionVersion: 2n });
  service.set("sale 1", { status: SaleStatus.WITHDRAWN });
  service.changed = ["sale 0", "sale 1", "new"];
  expect(await next(listing)).toEqual(["sale 0", "sale 1 -", "new"]);
  // They are listed for some seconds, and at every other change.
  expect(await next(listing)).toEqual([]);
  expect(service.calls.getSale).toBe(3);
});

it("ends a sale that was deleted", async () => {
  const { service, listing } = await started();
  service.sales.delete("sale 0");
  service.changed = ["sale 0"];
  expect(await next(listing)).toEqual(["sale 0 -"]);
});

it("lists all sales now and then, and where nobody can say what has changed", async () => {
  const { service, listing } = await started();
  for (let round = 0; round < 15; round++) expect(await next(listing)).toEqual([]);
  expect(await next(listing)).toEqual(["*", "sale 0", "sale 1"]);
  service.complete = false;
  expect(await next(listing)).toEqual(["*", "sale 0", "sale 1"]);
});

it("lists all sales each time of a service that has no such method", async () => {
  const { service, listing } = await started();
  service.isOld = true;
  for (let round = 0; round < 3; round++) expect(await next(listing)).toEqual(["*", "sale 0", "sale 1"]);
});

it("lists a change again that wasn't handled to its end", async () => {
  const { service, listing } = await started();
  service.set("sale 0", { definitionVersion: 2n });
  service.changed = ["sale 0"];
  for await (const _ of (await listing.next(signal)).sales) break;
  expect(await next(listing)).toEqual(["sale 0"]);
});
