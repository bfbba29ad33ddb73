import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SaleStatus, Tenancy } from "../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { SALE } from "../testing/fake-commitments.ts";
import { type RunningGateway, runGateway } from "../testing/gateway-parts.ts";
import { englishOn } from "../testing/text-leaves.ts";
import { DE } from "../web/texts/de.ts";
import { EN } from "../web/texts/en.ts";

const PAGE = `/sales/${SALE}`;
const GERMAN = { "accept-language": "de-AT, en;q=0.5" };
const WORDS = /<script type="application\/json" id="tidemark-words">(.*)<\/script>/;

const AUCTION = {
  generation: 1n,
  revision: 1n,
  sale: { name: "Harbour", status: SaleStatus.OPEN, tenancy: Tenancy.TEST, amountsAreDollars: true },
  data: {
    commitments: [
      {
        commitmentId: new Uint8Array(32),
        entityId: new Uint8Array(16),
        price: { numerator: "629", denominator: "1000000000000000" },
        amounts: ["ab", "cd"].map((byte) => ({ wallet: `0x${byte.repeat(20)}`, token: "0x1", amount: "1390970001" })),
        createdAtSeconds: 1_790_000_000n,
      },
    ],
    totalAmount: "360346340000",
    commitmentCount: 12_345n,
    paymentTokenDecimals: 6,
    offeredTokenDecimals: 18,
    clearingPrice: { price: { numerator: "235", denominator: "1000000000000000" }, microUsd: "235000" },
  },
};

let gateway: RunningGateway;
beforeEach(async () => {
  gateway = await runGateway({ PUBLIC_BASE_URL: "https://sales.example" });
  gateway.fake.sales.set(SALE, AUCTION);
});
afterEach(() => gateway.server.close(AbortSignal.abort()));

function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`http://127.0.0.1:${gateway.server.port}${path}`, { headers, redirect: "manual" });
}

/** Returns what a reader sees of a page, without the texts for its script. */
async function shown(path: string, headers: Record<string, string> = GERMAN): Promise<string> {
  const html = await (await get(path, headers)).text();
  return html.replace(WORDS, "").replaceAll("\u00a0", " ");
}

describe("the page of a sale in German", () => {
  it("has German texts, numbers and times, and figures for programs as ever", async () => {
    const html = await shown(PAGE);
    expect(html).toContain('<html lang="de">');
    expect(englishOn(html, EN, DE)).toStrictEqual([]);
    expect(html).not.toMatch(/\{\w+\}/);
    expect(html).toMatch(/<data id="total" value="360346\.34"[^>]*>360\.346,34 \$<\/data>/);
    expect(html).toMatch(/<data id="count" value="12345"[^>]*>12\.345<\/data>/);
    expect(html).toMatch(/<data id="clearing" value="0\.235"[^>]*>0,235 \$<\/data>/);
    expect(html).toContain("Clearing-Preis je Token");
    expect(html).toContain('<time datetime="2026-09-21T14:13:20Z">21.09.2026, 14:13:20</time>');
    expect(html).toContain("0xabab…abab und 1 weitere<");
    expect(html).toMatch(/og:description" content="Offen: 360\.346,34 \$ in 12\.345 Zusagen, Clearing-Preis 0,235 \$/);
  });

  it("brings the same texts along for its script", async () => {
    const [, words = ""] = WORDS.exec(await (await get(PAGE, GERMAN)).text()) ?? [];
    expect(DE.sale).toMatchObject(JSON.parse(words));
    expect(words).not.toContain("<");
  });

  it("is another one for caches than the English page", async () => {
    const [german, english] = [await get(PAGE, GERMAN), await get(PAGE)];
    expect([german.headers.get("content-language"), english.headers.get("content-language")]).toEqual(["de", "en"]);
    expect(german.headers.get("vary")).toBe("Accept-Encoding, Accept-Language, Cookie");
    expect(german.headers.get("content-security-policy")).toBe(english.headers.get("content-security-policy"));
    const etag = german.headers.get("etag") ?? "";
    expect(etag).not.toBe(english.headers.get("etag"));
    expect((await get(PAGE, { ...GERMAN, "if-none-match": etag })).status).toBe(304);
    expect((await get(PAGE, { "if-none-match": etag })).status).toBe(200);
    expect((await get(PAGE, GERMAN)).headers.get("etag")).toBe(etag);
  });

  it("has its charts as images in German", async () => {
    const image = await get(`${PAGE}/demand.svg`, GERMAN);
    expect(image.headers.get("vary")).toContain("Accept-Language");
    expect(await image.text()).toMatch(/Clearing bei 0,235|Es gibt keine Gebote\./);
  });
});

describe("the switch of a public page", () => {
  it("sets a cookie, which counts more than the browser's wish, and leads back", async () => {
    const answer = await get(`${PAGE}?utm=1&set_language=en`, GERMAN);
    expect([answer.status, answer.headers.get("location")]).toEqual([303, `${PAGE}?utm=1`]);
    expect([answer.headers.get("cache-control"), answer.headers.get("vary")]).toEqual(["no-store", null]);
    const [cookie = ""] = answer.headers.getSetCookie();
    expect(cookie).toBe("tidemark-language=en; Max-Age=31536000; Path=/; HttpOnly; SameSite=Lax; Secure");
    const page = await get(PAGE, { ...GERMAN, cookie: cookie.split(";")[0] ?? "" });
    expect(page.headers.get("content-language")).toBe("en");
  });

  it("is on each page, at the page's own address", async () => {
    for (const path of [PAGE, `${PAGE}/rules`, "/", "/sales/verify", "/sales/unknown"])
      expect(await shown(path)).toContain(`href="${path}?set_language=en"`);
  });
});

it.each([
  ["/", 200, "Token-Verkäufe in Echtzeit"],
  ["/sales/verify", 200, "Die Zahlen selbst prüfen"],
  ["/sales/unknown", 404, "Diesen Verkauf gibt es nicht"],
])("%s is German, too", async (path, status, title) => {
  const answer = await get(path, GERMAN);
  expect([answer.status, answer.headers.get("content-language")]).toEqual([status, "de"]);
  const html = await shown(path);
  expect(html).toContain(`<title>${title} · Tidemark</title>`);
  expect(englishOn(html, EN, DE)).toStrictEqual([]);
});

it("leaves what programs read the same in every language", async () => {
  const api = `/svc/v1/public/sales/${SALE}/commitment-data`;
  const [german, english] = [await get(api, GERMAN), await get(api)];
  expect(await german.text()).toBe(await english.text());
  expect([german.headers.get("vary"), german.headers.get("content-language")]).toEqual(["Accept-Encoding", null]);
});
