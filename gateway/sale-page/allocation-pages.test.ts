import { Code, ConnectError } from "@connectrpc/connect";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { SaleStage, SaleStatus } from "../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { type FakeSale, OTHER_SALE, SALE, SUMMARY, saleAt } from "../testing/fake-commitments.ts";
import { type RunningGateway, runGateway } from "../testing/gateway-parts.ts";
import { exchange } from "../testing/raw-connection.ts";

const PAGE = `/sales/${SALE}/allocations`;
const FILE = `${PAGE}.csv`;
const [FIRST, SECOND, THIRD] = ["b1", "b2", "b3"].map((byte) => `0x${byte.repeat(20)}`) as [string, string, string];
const PRICE = { numerator: "1", denominator: "2" };
const SETTLED = {
  ...SUMMARY,
  status: SaleStatus.SETTLED,
  stage: SaleStage.DONE,
  paymentSymbol: "=USDC",
  paymentTokenDecimals: 6,
  offeredTokenDecimals: 6,
  presentation: { offeredTokenSymbol: "@TIDE" },
};
const LIST = {
  ...{ generation: 1n, revision: 7n, paymentTokenDecimals: 6, saleAllocations: { total: "1" } },
  wallets: [
    { wallet: FIRST, sums: { committed: "3000000", accepted: "1500000", refunded: "1500000", prices: [PRICE] } },
    { wallet: SECOND, sums: { committed: "1", accepted: "1", prices: [PRICE, { ...PRICE, numerator: "2" }] } },
    { wallet: THIRD },
  ],
} satisfies FakeSale["allocations"];

let gateway: RunningGateway;
let revision = 0n;
beforeAll(async () => {
  gateway = await runGateway({ POSITION_MAX_READS: "1", POSITION_MAX_PER_ADDRESS: "1" });
});
afterAll(() => gateway.server.close(AbortSignal.abort()));
beforeEach(() => {
  gateway.fake.recover();
  gateway.fake.allocationLists.length = 0;
  setSale({ sale: SETTLED, allocations: LIST });
});

/** Sets the next revision of the sale. */
function setSale(sale: Partial<FakeSale>): void {
  revision += 1n;
  gateway.fake.sales.set(SALE, { ...saleAt(revision), sale: SUMMARY, ...sale });
  gateway.clock.now += 10_000;
}

const get = (path: string, init: RequestInit = {}) => fetch(`http://127.0.0.1:${gateway.server.port}${path}`, init);
const htmlOf = async (path: string) => (await get(path)).text();
const cells = (html: string) => Array.from(html.matchAll(/<bdi dir="ltr">([^<]*)<\/bdi>/g), ([, text]) => text);

describe("the page of all allocations", () => {
  it("has each wallet with its figures, and leads to its position", async () => {
    const answer = await get(PAGE);
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "public, max-age=1"]);
    const html = await answer.text();
    expect(cells(html).map((text) => text?.replaceAll(/\s/g, " "))).toEqual([
      ...["3.00 =USDC", "1.50 =USDC", "1.50 =USDC", "3 @TIDE"],
      ...["0.000001 =USDC", "0.000001 =USDC", "—", "—"],
    ]);
    expect(html).toContain(`<a href="/sales/${SALE}#wallet=${THIRD}">`);
    expect(html).toContain("Too many commitments to add up here");
    expect(html).toContain(`<form method="post" action="/sales/${SALE}#look-up">`);
    expect(html).toContain(`href="${FILE}" download`);
    expect(html).not.toContain('rel="next"');
    expect(gateway.fake.allocationLists).toEqual([{ saleUuid: SALE, pageSize: 100, pageToken: "" }]);
  });

  it("leads on by a token, and back to the first page", async () => {
    setSale({ sale: SETTLED, allocations: { ...LIST, nextPageToken: "MHhiMw" } });
    expect(await htmlOf(PAGE)).toContain(`rel="next" href="${PAGE}?after=MHhiMw"`);
    const later = await htmlOf(`${PAGE}?after=MHhiMg`);
    expect(later).toContain(`href="${PAGE}">First page</a>`);
    expect(gateway.fake.allocationLists.map(({ pageToken }) => pageToken)).toEqual(["", "MHhiMg"]);
    expect((await get(`${PAGE}?after=${"x".repeat(101)}`)).status).toBe(404);
    expect((await get(`${PAGE}?after=%27`)).status).toBe(404);
  });

  it("is read once for a revision, and anew for the next one", async () => {
    for (let reads = 0; reads < 3; reads++) await htmlOf(PAGE);
    expect(gateway.fake.allocationLists).toHaveLength(1);
    setSale({ sale: SETTLED, allocations: LIST });
    await htmlOf(PAGE);
    expect(gateway.fake.allocationLists).toHaveLength(2);
  });

  it("says its age while the sale's figures can't be confirmed", async () => {
    expect((await get(PAGE)).headers.get("age")).toBeNull();
    gateway.fake.failure = new ConnectError("away", Code.Unavailable);
    gateway.clock.now += 10_000;
    const answer = await get(PAGE);
    expect([answer.status, Number(answer.headers.get("age"))]).toEqual([200, 10]);
  });

  it("is refused while as many are being read as may be, unless it is held", async () => {
    await htmlOf(PAGE);
    gateway.fake.hold();
    const first = get(`${PAGE}?after=MHhiMQ`);
    await expect.poll(() => gateway.fake.allocationLists.length).toBe(2);
    expect((await get(`${PAGE}?after=MHhiMg`)).status).toBe(503);
    expect((await get(PAGE)).status).toBe(200);
    gateway.fake.release();
    expect((await first).status).toBe(200);
  });

  it("says when there will be one, and asks nobody for it", async () => {
    setSale({ sale: { ...SUMMARY, presentation: { settlesAtSeconds: 1_800_000_000n } } });
    const html = await htmlOf(PAGE);
    expect(html).toContain("No allocations yet");
    expect(html).toContain('datetime="2027-01-15T08:00:00Z"');
    setSale({ sale: SUMMARY });
    expect(await htmlOf(PAGE)).toContain("The organisers haven’t said when that will be.");
    expect((await get(FILE)).status).toBe(404);
    expect(gateway.fake.allocationLists).toEqual([]);
  });

  it("says so where the settled sale's allocations aren't known", async () => {
    const { saleAllocations: _, ...unsaid } = LIST;
    setSale({ sale: SETTLED, allocations: { ...unsaid, wallets: [] } });
    expect(await htmlOf(PAGE)).toContain("isn’t known here");
    const file = await get(FILE);
    expect([file.status, file.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
  });

  it("answers for sales that there are, by reading only", async () => {
    expect((await get(`/sales/${OTHER_SALE}/allocations`)).status).toBe(404);
    expect((await get("/sales/123/allocations.csv")).status).toBe(404);
    expect((await get(PAGE, { method: "POST" })).status).toBe(405);
    gateway.fake.failure = new ConnectError("away", Code.Unavailable);
    expect((await get(PAGE)).status).toBe(503);
  });

  it("is linked from the page of a settled sale only", async () => {
    const link = `<a href="${PAGE}">All allocations, wallet by wallet</a>`;
    expect(await htmlOf(`/sales/${SALE}`)).toContain(link);
    setSale({ sale: SUMMARY });
    expect(await htmlOf(`/sales/${SALE}`)).not.toContain(link);
  });
});

describe("the file of all allocations", () => {
  it("has all wallets at one revision, exactly, and nothing that a spreadsheet runs", async () => {
    const answer = await get(FILE);
    expect(answer.headers.get("content-disposition")).toBe(`attachment; filename="allocations-${SALE}-7.csv"`);
    expect(answer.headers.get("x-robots-tag")).toBe("noindex");
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(await answer.arrayBuffer());
    expect(text.split("\r\n")).toEqual([
      "\ufeffwallet,committed,accepted,refunded,currency,tokens,token",
      `${FIRST},3,1.5,1.5,'=USDC,3,'@TIDE`,
      `${SECOND},0.000001,0.000001,,'=USDC,,'@TIDE`,
      `${THIRD},,,,'=USDC,,'@TIDE`,
      "",
    ]);
    expect(gateway.fake.allocationLists).toEqual([{ saleUuid: SALE, pageSize: 500, pageToken: "" }]);
    expect(await (await get(FILE, { method: "HEAD" })).text()).toBe("");
  });

  it("has no number of tokens whose decimals aren't known", async () => {
    const { offeredTokenDecimals: _, ...withoutDecimals } = SETTLED;
    setSale({ sale: withoutDecimals, allocations: LIST });
    const [, first] = (await (await get(FILE)).text()).split("\r\n");
    expect(first).toBe(`${FIRST},3,1.5,1.5,'=USDC,,'@TIDE`);
  });

  it("says in its name that the contract's own total differs", async () => {
    setSale({ sale: SETTLED, allocations: { ...LIST, saleAllocations: { total: "1", differs: true } } });
    const { headers } = await get(FILE, { method: "HEAD" });
    expect(headers.get("content-disposition")).toBe(`attachment; filename="allocations-${SALE}-7-differs.csv"`);
  });

  it("breaks off where the allocations change meanwhile, so that no file looks complete", async () => {
    const parts = [
      { ...LIST, nextPageToken: "a" },
      { ...LIST, revision: 8n },
    ];
    const sale = { ...saleAt(revision), sale: SETTLED };
    gateway.fake.sales.set(SALE, Object.defineProperty(sale, "allocations", { get: () => parts.shift() ?? LIST }));
    await expect(get(FILE).then((answer) => answer.text())).rejects.toThrow();
    parts.push({ ...LIST, nextPageToken: "a" }, { ...LIST, revision: 8n });
    // Without chunks, the connection's end is the file's.
    await expect(exchange(gateway.server.port, `GET ${FILE} HTTP/1.0\r\n\r\n`)).rejects.toThrow("ECONNRESET");
  });

  it("that can't be made is answered with an error that says nothing of the inside", async () => {
    const wallets = [{ wallet: FIRST, sums: { committed: "secret", accepted: "1", prices: [PRICE] } }];
    setSale({ sale: SETTLED, allocations: { ...LIST, wallets } });
    const answer = await get(FILE);
    expect([answer.status, answer.headers.get("content-disposition")]).toEqual([500, null]);
    const html = await answer.text();
    expect(html).toContain("<h1>");
    expect(html).not.toContain("secret");
  });

  it("is refused while an address has two of them under way, and counts no longer once it is read", async () => {
    const open = async () => (await get(FILE)).status;
    expect(await open()).toBe(200);
    gateway.fake.allocationLists.length = 0;
    gateway.fake.hold();
    const under = [open(), open()];
    await expect.poll(() => gateway.fake.allocationLists.length).toBe(2);
    expect(await open()).toBe(503);
    gateway.fake.release();
    expect(await Promise.all(under)).toEqual([200, 200]);
    await expect.poll(open).toBe(200);
  });
});
