import { gzipSync } from "node:zlib";
import { create } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  ClearingRule,
  FeedFault,
  SaleStage,
  SaleStatus,
  Tenancy,
} from "../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { GetPublicRulesResponseSchema } from "../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import { SALE } from "../testing/fake-commitments.ts";
import { type RunningGateway, runGateway } from "../testing/gateway-parts.ts";
import { worstSale } from "../testing/worst-sale.ts";
import { textsKey } from "./browser/sale-texts.js";

const ORIGIN = "https://sales.example";
const PAGE = `/sales/${SALE}`;
const SCRIPT = "/svc/v1/public/tidemark-sale.js";
/** Bound of the page without its charts. */
const MAX_PAGE_BYTES = 120_000;
const MAX_SCRIPT_BYTES = 10 * 1024;
const MAX_EXTRAS_BYTES = 19 * 1024;

let gateway: RunningGateway;
const getPublicRules = async () => create(GetPublicRulesResponseSchema, { rules: {} });
beforeEach(async () => {
  gateway = await runGateway({ PUBLIC_BASE_URL: ORIGIN }, { getPublicRules });
});
afterEach(() => gateway.server.close(AbortSignal.abort()));

function get(path: string, init?: RequestInit): Promise<Response> {
  return fetch(`http://127.0.0.1:${gateway.server.port}${path}`, init);
}

async function text(path: string): Promise<string> {
  return (await get(path)).text();
}

/** The exact value and the text of a figure on a page. */
function figure(html: string, id: string): readonly (string | undefined)[] {
  const [, exact, shown] = new RegExp(`<data id="${id}" value="([^"]*)"[^>]*>(.*?)</data>`).exec(html) ?? [];
  return shown === undefined ? [] : [exact, shown.replaceAll(/<[^>]+>/g, "")];
}

function setSale(sale: Parameters<typeof gateway.fake.sales.set>[1]): void {
  gateway.fake.sales.set(SALE, sale);
}

const AUCTION = {
  generation: 1n,
  revision: 1n,
  sale: { name: "Harbour & <Sea>", status: SaleStatus.OPEN, tenancy: Tenancy.LIVE, amountsAreDollars: true },
  data: {
    commitments: [
      {
        commitmentId: new Uint8Array(32),
        entityId: new Uint8Array(16),
        price: { numerator: "629", denominator: "1000000000000000" },
        amounts: [{ wallet: `0x${"ab".repeat(20)}`, token: "0x1", amount: "1390970001" }],
        createdAtSeconds: 1_790_000_000n,
      },
    ],
    totalAmount: "360346340000",
    commitmentCount: 2n ** 63n + 1n,
    paymentTokenDecimals: 6,
    offeredTokenDecimals: 18,
    clearingPrice: { price: { numerator: "235", denominator: "1000000000000000" }, microUsd: "235000" },
  },
};

describe("the page of a sale", () => {
  it("shows every figure for people and exactly, without script", async () => {
    setSale(AUCTION);
    const html = await text(PAGE);
    expect(figure(html, "total")).toEqual(["360346.34", "$360,346.34"]);
    expect(figure(html, "count")).toEqual(["9223372036854775809", "9.223\u00a0×\u00a010¹⁸"]);
    expect(figure(html, "clearing")).toEqual(["0.235", "$0.235"]);
    expect(html).toContain('<td title="1390.970001">$1,390.97');
    expect(html).toContain('<td title="0.629">$0.629');
    expect(html).toContain(`<td title="0x${"ab".repeat(20)}">0xabab…abab`);
    expect(html).toContain('<time datetime="2026-09-21T14:13:20Z">21 Sept 2026, 14:13:20</time>');
    expect(html).toContain('data-status="open">Open<');
  });

  it("shows the price of a sale at a fixed price, which is no auction", async () => {
    const { clearingPrice: _, ...data } = AUCTION.data;
    const fixedPrice = { numerator: "25", denominator: (10n ** 14n).toString() };
    setSale({ ...AUCTION, data, sale: { ...AUCTION.sale, fixedPrice } });
    const html = await text(PAGE);
    expect(html).toContain("Price per token</dt>");
    expect(figure(html, "price")).toEqual(["0.25", "$0.25"]);
    expect(html).toMatch(/og:description" content="[^"]+ commitments, at \$0\.25 per token\. /);
    expect(html).not.toContain("Clearing price per");
  });

  it("names the currency of all amounts and prices, unless they are dollars", async () => {
    const fixedPrice = { numerator: "25", denominator: (10n ** 14n).toString() };
    const sale = { ...AUCTION.sale, amountsAreDollars: false, paymentSymbol: "TIDE", fixedPrice };
    setSale({ ...AUCTION, sale });
    const html = (await text(PAGE)).replaceAll("\u00a0", " ");
    expect(figure(html, "total")).toEqual(["360346.34", "360,346.34 TIDE"]);
    expect(html).toContain('<td title="1390.970001">1,390.97 TIDE');
    expect(html).toContain('<td title="0.629">0.629 TIDE');
    expect(html).toContain('data-symbol="TIDE"');
    setSale({ ...AUCTION, revision: 2n, sale: { ...sale, amountsAreDollars: true } });
    gateway.clock.now += 2_000;
    expect(await text(PAGE)).toContain(">$360,346.34</data>");
  });

  it("names all wallets of a commitment", async () => {
    const [commitment] = AUCTION.data.commitments;
    const amounts = (wallets: number) =>
      Array.from({ length: wallets }, (_, index) => ({
        wallet: `0x${`a${index}`.repeat(20)}`,
        token: "0x1",
        amount: "1",
      }));
    const commitments = [2, 3].map((wallets) => ({ ...commitment, amounts: amounts(wallets) }));
    setSale({ ...AUCTION, data: { ...AUCTION.data, commitments } });
    const html = await text(PAGE);
    expect(html).toContain(">0xa0a0…a0a0 and 1 more wallet<");
    expect(html).toContain(">0xa0a0…a0a0 and 2 more wallets<");
  });

  it("neither claims to be live nor offers a pause once the sale is settled", async () => {
    setSale({ ...AUCTION, sale: { ...AUCTION.sale, status: SaleStatus.SETTLED } });
    const html = await text(PAGE);
    expect(html).toContain('data-state="settled" role="status">The sale is over</p>');
    expect(html).toMatch(/<button [^>]*id="pause"[^>]* hidden>/);
    expect(html).toMatch(/og:description" content="Settled: [^"]+ per token\.">/);
  });

  it("describes itself to sites that share it, by the configured origin and not by Host", async () => {
    setSale(AUCTION);
    const html = await text(`/sales/${SALE.toUpperCase()}?utm=1`);
    expect(html).toContain(`<link rel="canonical" href="${ORIGIN}${PAGE}">`);
    expect(html).toContain(`<meta property="og:url" content="${ORIGIN}${PAGE}">`);
    expect(html).toContain('<meta property="og:title" content="Harbour &amp; &lt;Sea&gt;">');
    expect(html).toMatch(
      /og:description" content="Open: \$360,346\.34 in 9\.223\u00a0×\u00a010¹⁸ commitments, clearing at \$0\.235 per/,
    );
    expect(html).not.toContain("127.0.0.1");
  });

  it("runs and loads nothing but ours, and isn't framed", async () => {
    const { headers } = await get(PAGE);
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    const html = await text(PAGE);
    expect(html).not.toMatch(/<script(?![^>]* src=| type="application\/json")|<style| style=| on\w+=/);
  });

  it.each(["en", "de"])(
    "stays below 120 KB with the longest data, its styles and scripts included, in %s",
    async (language) => {
      setSale(worstSale(1n));
      await get(PAGE);
      const html = await (await get(PAGE, { headers: { "accept-language": language } })).text();
      expect(html).toContain(`href="${PAGE}/rules"`);
      expect(html.match(/<tr><td><time/g)).toHaveLength(100);
      // A page without script loads other files, and none of the scripts.
      const withScript = html.replaceAll(/<noscript>.*?<\/noscript>/gs, "");
      const files = new Set(
        Array.from(withScript.matchAll(/(?:src|href)="(\/sales\/assets\/[^"]+)"/g), ([, path = ""]) => path),
      );
      let bytes = Buffer.byteLength(html);
      for (const file of files) {
        const answer = await get(file);
        expect(answer.status).toBe(200);
        expect(answer.headers.get("cache-control")).toContain("immutable");
        bytes += (await answer.arrayBuffer()).byteLength;
      }

      expect(files.size).toBeGreaterThan(6);
      const advice =
        "what a visitor doesn't need at first sight is loaded later, as charts.js loads the charts; only then raise the bound";
      expect(bytes, `The page without its charts weighs ${bytes} bytes: ${advice}`).toBeLessThan(MAX_PAGE_BYTES);
    },
  );

  it.each(["history", "clearing", "count", "demand"])(
    "has its %s as an image for browsers without scripts",
    async (name) => {
      setSale(AUCTION);
      expect(await text(PAGE)).toContain(`<noscript><img src="${PAGE}/${name}.svg" alt="`);
      const answer = await get(`${PAGE}/${name}.svg`);
      expect(answer.headers.get("content-type")).toBe("image/svg+xml");
      expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
      expect(await answer.text()).toMatch(/^<svg .*<path class="curve" d="M[\d. ML]+"\/>.*<\/svg>$/s);
    },
  );

  it("has no image of demand and clearing price of a sale that is no auction", async () => {
    setSale({ ...AUCTION, data: { totalAmount: "1", paymentTokenDecimals: 6 } });
    for (const name of ["demand", "clearing"]) {
      expect((await get(`${PAGE}/${name}.svg`)).status).toBe(404);
      expect(await text(PAGE)).not.toContain(`${name}.svg`);
    }
  });

  it("names no founder's markup as its own", async () => {
    setSale(worstSale(1n));
    expect(await text(PAGE)).not.toContain("<b>");
  });

  it("shows a general name where the commitments service sends none", async () => {
    const { sale: _, ...older } = AUCTION;
    setSale(older);
    const html = await text(PAGE);
    expect(html).toContain("<bdi>Token sale</bdi>");
    expect(html).toContain("Status unknown");
  });

  it("answers many readers with one load and one page, compressed and by its tag", async () => {
    setSale(worstSale(1n));
    const answers = await Promise.all(Array.from({ length: 20 }, () => get(PAGE)));
    expect(new Set(answers.map(({ headers }) => headers.get("etag"))).size).toBe(1);
    expect(gateway.fake.loads).toHaveLength(1);
    const etag = answers[0]?.headers.get("etag") ?? "";
    expect(answers[0]?.headers.get("content-encoding")).toBe("gzip");
    expect(answers[0]?.headers.get("cache-control")).toBe("public, max-age=1");
    expect((await get(PAGE, { headers: { "if-none-match": etag } })).status).toBe(304);
    const head = await get(PAGE, { method: "HEAD" });
    expect([head.status, await head.text()]).toStrictEqual([200, ""]);
  });

  it("is made anew a second later, when the sale has changed", async () => {
    setSale(AUCTION);
    const before = await text(PAGE);
    setSale({ ...AUCTION, revision: 2n, data: { ...AUCTION.data, totalAmount: "360346340001" } });
    gateway.clock.now += 2_000;
    expect(await text(PAGE)).not.toBe(before);
  });

  it("is made anew at once, when the sale's status has changed: open pages lead to it", async () => {
    const german = async () => (await get(PAGE, { headers: { "accept-language": "de" } })).text();
    setSale(AUCTION);
    await text(PAGE);
    gateway.clock.now += 600;
    expect(await german()).toContain('data-status="open"');
    setSale({ ...AUCTION, revision: 2n, sale: { ...AUCTION.sale, status: SaleStatus.SETTLED } });
    gateway.clock.now += 600;
    expect(await german()).toContain('data-status="settled"');
  });

  it.each([
    ["/sales/00000000-0000-4000-8000-000000000000"],
    ["/sales/x"],
    ["/sales/"],
    [`${PAGE}/more`],
    ["/sales/assets/x/sale.js"],
  ])("says that there is no sale at %s", async (path) => {
    const answer = await get(path);
    expect(answer.status).toBe(404);
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const page = await answer.text();
    expect(page).toContain("<h1>There is no such sale</h1>");
    expect(page).toContain('href="/">To the start page<');
    expect(page).toContain(`href="${path}?set_language=de"`);
  });

  it.each([[Code.Unavailable], [Code.DeadlineExceeded], [Code.ResourceExhausted]])(
    "asks to come back while the figures can't be read (%i)",
    async (code) => {
      gateway.fake.fail(code);
      const answer = await get(PAGE);
      expect(answer.status).toBe(503);
      expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
      const html = await answer.text();
      expect(html).toContain("can’t be read at the moment");
      expect(html).toContain('href="">Load it again</a>');
    },
  );

  it("shows an internal error by its ID only", async () => {
    gateway.fake.fail(Code.Internal);
    const answer = await get(PAGE);
    expect(answer.status).toBe(500);
    expect(await answer.text()).toMatch(/Error ID <code>[0-9a-f-]{36}<\/code>/);
  });

  it("shows the last figures with their age while the service is away", async () => {
    setSale(AUCTION);
    await text(PAGE);
    gateway.fake.fail();
    gateway.clock.now += 5_000;
    const answer = await get(PAGE);
    expect([answer.status, answer.headers.get("age")]).toStrictEqual([200, "5"]);
  });

  it("can only be read, and takes the form that looks up a wallet", async () => {
    const answer = await get(PAGE, { method: "DELETE" });
    expect([answer.status, answer.headers.get("allow")]).toStrictEqual([405, "GET, HEAD, POST"]);
  });
});

describe("what a sale is, on its page", () => {
  const WEBSITE = "https://www.founder.example/take-part?a=1&b=2";
  const LOGO = "ab".repeat(32);
  const CONTRACT = `0x${"c2".repeat(20)}`;
  const STAGED = {
    ...AUCTION,
    sale: {
      ...AUCTION.sale,
      stage: SaleStage.COMMITMENT,
      paymentTokens: [{ address: `0x${"a1".repeat(20)}`, decimals: 6, usdStablecoin: true, symbol: "USDC" }],
      auction: {
        offeredAmount: (1_000_000n * 10n ** 18n).toString(),
        floorPrice: { numerator: "1", denominator: (10n ** 13n).toString() },
      },
      offeredTokenDecimals: 18,
      source: { case: "evm" as const, value: { chain: "base", contract: CONTRACT } },
      presentation: {
        description: "First line.\n<b>Second</b> line.",
        website: WEBSITE,
        contact: "help?&@founder.example",
        offeredTokenSymbol: "TIDE",
        opensAtSeconds: 1_800_000_000n,
        closesAtSeconds: 1_900_000_000n,
        logo: LOGO,
        totalSupply: (8_000_000n * 10n ** 18n).toString(),
      },
    },
    feedState: {
      asOf: {
        position: { height: 19_000_000n, hash: new Uint8Array(32) },
        blockTime: { seconds: 1_800_000_000n },
        lastSuccess: { seconds: 1_800_000_000n },
      },
      chain: { chainId: 8453n, contractUrl: "https://explorer.example/c2" },
    },
  };
  const changed = (sale: object) => ({ ...STAGED, sale: { ...STAGED.sale, ...sale } });

  it.each([
    [
      "is its own rule",
      ClearingRule.LOWEST_NOT_OUTBID,
      "The price follows the bids: it is the lowest one from $0.10 at",
    ],
    ["is the usual rule", ClearingRule.UNSPECIFIED, "Everybody who is in pays the same price for a token"],
  ])("%s in an auction, by which a bid can be tried or not", async (_, clearingRule, words) => {
    const { auction } = STAGED.sale;
    const incrementPrice = { numerator: "1", denominator: (10n ** 13n).toString() };
    setSale(changed({ auction: { ...auction, incrementPrice, clearingRule } }));
    const html = await text(PAGE);
    const isUsual = clearingRule === ClearingRule.UNSPECIFIED;
    expect(html).toContain(words);
    expect(html.includes('"ClearingRule":"lowest_not_outbid"')).toBe(!isUsual);
    expect(html.includes('id="what-if"')).toBe(isUsual);
  });

  it("is name, logo, description, the way to take part, terms and contract", async () => {
    setSale(STAGED);
    const html = await text(PAGE);
    expect(html).toContain(`<img class="logo" src="/logos/${LOGO}" alt="" width=`);
    expect(html).toContain('<p lang="" dir="auto">First line.\n&lt;b&gt;Second&lt;/b&gt; line.</p>');
    expect(html).toContain(`href="${WEBSITE.replace("&", "&amp;")}" rel="external nofollow noopener">Take part</a>`);
    expect(html).toContain("at <bdi>www.founder.example</bdi>");
    expect(html).toContain(
      'href="mailto:help%3F%26@founder.example" rel="external nofollow noopener"><bdi>help?&amp;@',
    );
    expect(html).toContain('<h2 id="stage">Bidding is open</h2>');
    expect(html).toContain(
      '<span id="awaited">Announced to close</span> <time id="until" data-shape="minute" datetime="2030-03-17T17:46:40Z">17 Mar 2030',
    );
    expect(figure(html, "offered")).toEqual(["1000000", "1M TIDE"]);
    expect(html).toContain(">1.53 times the offer is bid<");
    expect(figure(html, "floor")).toEqual(["0.1", "$0.10"]);
    expect(figure(html, "diluted")).toEqual(["1880000", "$1.88M"]);
    expect(html).toContain('<a href="https://explorer.example/c2" rel="external noopener"><code class="address">');
    expect(html.replaceAll("</span><span>", "")).toContain(`<span>${CONTRACT}</span>`);
    expect(html).toContain("(chain ID 8453)");
  });

  it("has the whole of a long name in its heading, and what a tab can show in its title", async () => {
    const name = "Harbour ".repeat(24).trim();
    setSale(changed({ name }));
    const html = await text(PAGE);
    expect(html).toContain(`<bdi>${name}</bdi></h1>`);
    expect(html).toContain(`<title>${name.slice(0, 79)}… · Tidemark</title>`);
  });

  it("leads to how its figures can be checked", async () => {
    setSale(STAGED);
    expect(await text(PAGE)).toContain(`<a href="/sales/verify?sale=${SALE}">`);
    const page = await text("/sales/verify");
    expect(page).toContain("<h1>Check the figures yourself</h1>");
    expect(page).toMatch(/npm run tidemark -- verify \\\n {2}https:\/\/\S+\/sales\/[-0-9a-f]{36} /);
  });

  it("doesn't lead there without a contract to check them with", async () => {
    setSale(changed({ source: { case: undefined } }));
    expect(await text(PAGE)).not.toContain("/sales/verify");
  });

  it("has the block of its figures, or why they stand still", async () => {
    setSale(STAGED);
    expect(await text(PAGE)).toContain(
      '>As of block 19,000,000: <time datetime="2027-01-15T08:00:00.000Z">15 Jan 2027, 08:00:00</time></p>',
    );
    gateway.clock.now += 2_000;
    setSale({ ...STAGED, feedState: { ...STAGED.feedState, fault: FeedFault.UNREADABLE } });
    await gateway.cache.load(SALE);
    expect(await text(PAGE)).toContain(">The sale’s contract can’t be read at the moment.</p>");
  });

  it("leads to https only, and leaves out what the founder hasn't entered", async () => {
    setSale(changed({ presentation: { website: "http://localhost:3000/" }, source: { case: undefined } }));
    const html = await text(PAGE);
    expect(html).not.toMatch(/localhost|Take part|Questions|<img class="logo"|class="description"/);
    expect(html).toMatch(
      /<svg class="logo"[^>]* aria-hidden="true"><rect[^>]* fill="#[0-9a-f]{6}"\/><text[^>]*>HS<\/text><\/svg>/,
    );
    expect(html).toMatch(/id="countdown" class="countdown" hidden/);
    expect(html).toContain("the organisers’ own service sends the commitments");
  });

  it("says that a settled sale is over, and no longer invites", async () => {
    setSale(changed({ status: SaleStatus.SETTLED, stage: SaleStage.DONE }));
    const html = await text(PAGE);
    expect(html).toContain('<h2 id="stage">Settled</h2>');
    expect(html).toContain(">Visit their site</a>");
    expect(html).toMatch(/id="countdown" class="countdown" hidden/);
  });

  it("folds a long description, and has all of it", async () => {
    const description = "Tidal energy. ".repeat(100).trim();
    setSale(changed({ presentation: { description } }));
    const [, shown = "", rest = ""] =
      /<p lang="" dir="auto">([^<]*)<\/p>\s*<details><summary>Read more<\/summary><p lang="" dir="auto">([^<]*)</.exec(
        await text(PAGE),
      ) ?? [];
    expect(`${shown} ${rest}`).toBe(description);
  });

  it("has the facts that its script begins with, and loads every module that the script imports", async () => {
    setSale(STAGED);
    const html = await text(PAGE);
    const [, facts = ""] = /id="tidemark-sale">(.*?)<\/script>/.exec(html) ?? [];
    expect(JSON.parse(facts.replaceAll("&quot;", '"'))).toMatchObject({ Status: "open", Stage: "commitment" });
    const [, texts] = /data-texts="([^"]*)"/.exec(html) ?? [];
    expect(texts).toBe(textsKey(await (await get(`/svc/v1/public/sales/${SALE}`)).json()));
    const named = Array.from(html.matchAll(/href="([^"]+\.js)"|src="([^"]+\.js)"/g), ([, a, b]) => a ?? b ?? "");
    const modules = named.filter((path) => !path.endsWith("/look-up-start.js"));
    const imported = await Promise.all(
      modules.map(async (path) =>
        Array.from((await text(path)).matchAll(/^import .* from "\.\/(.*)";$/gm), ([, name]) => name),
      ),
    );
    const loaded = modules.map((path) => path.slice(path.lastIndexOf("/") + 1));
    expect(new Set(imported.flat())).toEqual(new Set(loaded.filter((name) => name !== "sale.js")));
  });

  it("tells the server's time to whoever asks for its facts", async () => {
    setSale(STAGED);
    const { headers } = await get(`/svc/v1/public/sales/${SALE}`, { method: "HEAD" });
    expect(Date.parse(headers.get("date") ?? "")).not.toBeNaN();
    expect(headers.get("cache-control")).toBe("no-store");
  });
});

describe("the script for other sites", () => {
  it("is one file of 10 KiB at most, readable from everywhere", async () => {
    const answer = await get(SCRIPT);
    expect(answer.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(answer.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
    const script = await answer.text();
    const advice = "every page that embeds the element loads it: leave to the sale's page what only that shows";
    expect(gzipSync(script).length, `The element's script grows: ${advice}`).toBeLessThanOrEqual(MAX_SCRIPT_BYTES);
    expect(script).not.toMatch(/^(?:import|export) /m);
    expect(script).toContain('customElements.define("tidemark-sale"');
  });

  it("loads a second part, which never changes and takes from the first one what both need", async () => {
    const [, name = ""] = /"(tidemark-sale\/[0-9a-f]{12}\.js)"/.exec(await text(SCRIPT)) ?? [];
    const path = SCRIPT.replace("tidemark-sale.js", name);
    const answer = await get(path);
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(answer.headers.get("cache-control")).toContain("immutable");
    const extras = await answer.text();
    expect(gzipSync(extras).length).toBeLessThanOrEqual(MAX_EXTRAS_BYTES);
    expect(extras.match(/^(?:import|export) .{7}/gm)).toStrictEqual(["export default"]);
    const other = await get(path.replace(/[0-9a-f]{12}/, "000000000000"));
    expect(other.status).toBe(404);
    expect(other.headers.get("cache-control")).toBe("no-store");
  });

  it("is where the public read is", async () => {
    await gateway.server.close(AbortSignal.abort());
    gateway = await runGateway({ PUBLIC_PATH_PREFIX: "live" });
    expect((await get("/live/v1/public/tidemark-sale.js")).status).toBe(200);
    expect((await get(SCRIPT)).status).toBe(404);
    expect(await text(PAGE)).toContain(`data-api="/live/v1/public/sales/${SALE}"`);
    expect(await text(PAGE)).not.toContain("og:url");
  });
});
