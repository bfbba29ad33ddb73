import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { SALE, saleAt } from "../../testing/fake-commitments.ts";
import { type RunningGateway, runGateway } from "../../testing/gateway-parts.ts";
import { SQUARE_LOGO } from "../../testing/sample-logos.ts";

const ORIGIN = "https://sales.example";
const IMAGE = `/sales/${SALE}/share.png`;
const NAMED = { name: "Harbour & <Sea>", status: SaleStatus.OPEN };

let gateway: RunningGateway;
let revision = 1n;
beforeAll(async () => {
  gateway = await runGateway({ PUBLIC_BASE_URL: ORIGIN });
});
afterAll(() => gateway.server.close(AbortSignal.abort()));
beforeEach(() => {
  gateway.fake.recover();
  gateway.clock.now += 120_000;
  change();
});

/** Sets the sale to its next revision, and so its total. */
function change(): void {
  revision += 1_000_000n;
  gateway.fake.sales.set(SALE, { ...saleAt(revision), sale: NAMED });
}

const get = (path = IMAGE, headers: Record<string, string> = {}) =>
  fetch(`http://127.0.0.1:${gateway.server.port}${path}`, { headers });
const tagOf = async () => (await get()).headers.get("etag");

describe("the image of a sale for other sites", () => {
  it("is named by the page, with a text in its place", async () => {
    const html = await (await get(`/sales/${SALE}`)).text();
    expect(html).toContain(`<meta property="og:image" content="${ORIGIN}${IMAGE}">`);
    expect(html).toContain('<meta property="og:image:width" content="1200">');
    expect(html).toMatch(/og:image:alt" content="[^"]*\d[^"]* in /);
  });

  it("is a PNG that caches keep for a minute, that other sites may show, and that has a tag", async () => {
    const answer = await get();
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "image/png",
      "cache-control": "public, max-age=60",
      "cross-origin-resource-policy": "cross-origin",
      "x-content-type-options": "nosniff",
    });
    expect(
      Buffer.from(await answer.arrayBuffer())
        .subarray(1, 4)
        .toString(),
    ).toBe("PNG");
    const etag = answer.headers.get("etag") ?? "";
    expect((await get(IMAGE, { "if-none-match": etag })).status).toBe(304);
  });

  it("is made once for many readers, and again a minute later at the earliest", async () => {
    const tags = await Promise.all(Array.from({ length: 20 }, tagOf));
    expect(new Set(tags).size).toBe(1);
    change();
    gateway.clock.now += 59_000;
    expect(await tagOf()).toBe(tags[0]);
    gateway.clock.now += 2_000;
    expect(await tagOf()).not.toBe(tags[0]);
  });

  it("has the founder's logo", async () => {
    const without = await tagOf();
    const presentation = { logo: SQUARE_LOGO.hash };
    gateway.fake.sales.set(SALE, { ...saleAt(revision), sale: { ...NAMED, presentation } });
    gateway.fake.logos.set(SQUARE_LOGO.hash, SQUARE_LOGO.image);
    gateway.clock.now += 120_000;
    const of = await tagOf();
    expect(of).not.toBe(without);
    // The same but for the logo.
    gateway.fake.logos.clear();
    gateway.fake.sales.set(SALE, { ...saleAt(revision), sale: { ...NAMED, presentation: { logo: "0".repeat(64) } } });
    gateway.clock.now += 120_000;
    expect((await get()).status).toBe(200);
  });

  it("is gone with its sale, and unavailable while its figures are", async () => {
    expect((await get()).status).toBe(200);
    gateway.fake.fail(Code.Unavailable);
    gateway.clock.now += 600_000;
    expect((await get()).status).toBe(503);
    gateway.fake.recover();
    gateway.fake.sales.delete(SALE);
    gateway.clock.now += 5_000;
    expect((await get()).status).toBe(404);
    expect((await get("/sales/x/share.png")).status).toBe(404);
  });
});
