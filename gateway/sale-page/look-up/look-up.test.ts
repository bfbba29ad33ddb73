import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { ClearingOutcome, NotCountedReason } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { SaleStage, SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { type FakeSale, SALE, SUMMARY, saleAt } from "../../testing/fake-commitments.ts";
import { type RunningGateway, runGateway, silentLogger } from "../../testing/gateway-parts.ts";
import { BIDDER, saleStates } from "../../testing/sale-states.ts";
import { worstSale } from "../../testing/worst-sale.ts";

const PAGE = `/sales/${SALE}`;
const WALLET = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const OWN = { wallet: WALLET.toLowerCase(), token: "0xa1", amount: "1500000" };
const commitmentOf = (id: number, amounts = [OWN]) => ({
  commitmentId: new Uint8Array(32).fill(id),
  entityId: new Uint8Array(16),
  price: { numerator: "1", denominator: "2" },
  amounts,
  createdAtSeconds: 1_769_860_800n,
});
const POSITION = {
  wallet: WALLET.toLowerCase(),
  commitments: [
    { commitment: commitmentOf(1), clearingOutcome: ClearingOutcome.IN },
    { commitment: commitmentOf(2), clearingOutcome: ClearingOutcome.AT_MARGIN },
    {
      commitment: commitmentOf(3, [OWN, { ...OWN, wallet: "0xb0" }]),
      notCountedReason: NotCountedReason.REFUNDED,
    },
  ],
  paymentTokenDecimals: 6,
};

let gateway: RunningGateway;
let revision = 0n;
beforeAll(async () => {
  gateway = await runGateway({ POSITION_MAX_READS: "1", POSITION_MAX_PER_ADDRESS: "1", CACHE_MAX_STALE: "1s" });
});
afterAll(() => gateway.server.close(AbortSignal.abort()));
beforeEach(() => {
  gateway.fake.recover();
  gateway.fake.positions.length = 0;
  setSale({ position: POSITION });
  gateway.clock.now += 10_000;
});

/** Sets the next revision of the sale. */
function setSale(sale: Partial<FakeSale>): void {
  revision += 1n;
  gateway.fake.sales.set(SALE, { ...saleAt(revision), sale: SUMMARY, ...sale });
}

const send = (body: string | URLSearchParams, init: RequestInit = {}, path = PAGE) =>
  fetch(`http://127.0.0.1:${gateway.server.port}${path}`, { method: "POST", body, ...init });
const lookUp = (wallet: string) => send(new URLSearchParams({ wallet }));
const get = async () => (await fetch(`http://127.0.0.1:${gateway.server.port}${PAGE}`)).text();
const badges = (html: string) => Array.from(html.matchAll(/data-field="badge">([^<]+)</g), ([, badge]) => badge);

describe("the form that looks up a wallet", () => {
  it("is on the page, goes to this host only, and says which addresses the sale has", async () => {
    const html = await get();
    expect(html).toContain(`<form method="post" action="${PAGE}#look-up" novalidate>`);
    expect(html).toContain("0x and 40 hexadecimal digits");
    expect(html).toContain('data-kind="evm"');
    expect(html).toContain('<div id="position" hidden>');
    const { headers } = await fetch(`http://127.0.0.1:${gateway.server.port}${PAGE}`);
    expect(headers.get("content-security-policy")).toContain("form-action 'self';");
  });

  it("answers the page with the wallet's commitments in all states, for this reader only", async () => {
    const answer = await lookUp(`  ${WALLET} `);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "content-security-policy": expect.stringContaining("default-src 'none'"),
    });
    const html = await answer.text();
    expect(html).toContain(">3 commitments: 1 in, 1 at the margin, 1 refunded</p>");
    expect(badges(html)).toStrictEqual(["In", "At the margin", "Refunded"]);
    expect(html).toContain('data-field="amount" title="1.5">1.50<');
    expect(html).toContain('data-field="whole" title="3">3.00<');
    expect(html).toContain(`data-wallet="${WALLET}"`);
    expect(html).toContain('<data id="total"');
    expect(gateway.fake.positions).toStrictEqual([{ saleUuid: SALE, wallet: WALLET, pageToken: "" }]);
    expect(await get()).not.toContain(WALLET);
  });

  it("asks for an address on Solana in a sale that is paid there", async () => {
    const paymentTokens = [{ ...SUMMARY.paymentTokens[0], address: "So11111111111111111111111111111111111111112" }];
    setSale({ sale: { ...SUMMARY, paymentTokens } });
    const html = await get();
    expect(html).toContain('data-kind="svm"');
    expect(html).toContain("Enter an address on Solana: 32 to 44 letters and digits,");
  });

  it("says so where the wallet has committed nothing", async () => {
    setSale({ position: { ...POSITION, commitments: [] } });
    const html = await (await lookUp(WALLET)).text();
    expect(html).toContain(">No commitments</p>");
    expect(html).toContain('<p id="position-none">This wallet has committed nothing to this sale.');
    expect(badges(html)).toStrictEqual([]);
  });

  it("says what a settled sale accepts of the wallet, and warns where that can't be relied on", async () => {
    const allocations = [{ entityId: new Uint8Array(16), token: "0xa1", accepted: "1000000", refunded: "500000" }];
    const saleAllocations = { total: "1000000", differs: true };
    const sale = { status: SaleStatus.SETTLED, stage: SaleStage.DONE };
    const position = { ...POSITION, ...sale, allocations, saleAllocations };
    setSale({ position });
    const html = await (await lookUp(WALLET)).text();
    expect(html).toContain('<dl class="outcome" id="outcome"><div><dt>Accepted</dt><dd title="1">1.00</dd></div>');
    expect(html).toContain('<div><dt>Refunded</dt><dd title="0.5">0.50</dd></div>');
    expect(html).toContain(
      '<p id="position-note" class="quiet">The sale is settled: none of this changes any more.</p>',
    );
    expect(html).not.toContain("can change with every bid");
    expect(html).toContain('<p id="position-differs" class="notice">The accepted amounts of all bidders don’t add up');
    expect(html).toContain("3 commitments: 2 settled, 1 refunded. Accepted: 1.00</p>");
  });

  it("says the lowest price that would be in now and what it costs, and all else while the demand can't be read", async () => {
    const { revision: _, ...sale } = saleStates(1_769_860_800n).oversubscribed;
    // Levels without prices are none that the gateway can read.
    setSale({ ...sale, levels: [{}] });
    const [LOWEST, COST] = ["Lowest price that is in now", "Cost of the same tokens at it"];
    const html = await (await lookUp(BIDDER)).text();
    expect(html).toContain("5 commitments:");
    expect(html).not.toContain(LOWEST);
    gateway.clock.now += 60_000;
    setSale(sale);
    expect(await (await lookUp(BIDDER)).text()).toMatch(
      new RegExp(`<dt>${LOWEST}</dt><dd[^>]*>\\$0\\.[^<]+</dd></div><div><dt>${COST}</dt><dd[^>]*>\\$`),
    );
  });

  it("leads to the next page of a wallet with many commitments", async () => {
    setSale({ position: { ...POSITION, nextPageToken: "ab-_" } });
    const html = await (await lookUp(WALLET)).text();
    expect(html).toContain('name="page" value="ab-_"');
    expect((await send(new URLSearchParams({ wallet: WALLET, page: "ab-_" }))).status).toBe(200);
    expect(gateway.fake.positions.at(-1)).toMatchObject({ pageToken: "ab-_" });
    expect((await send(new URLSearchParams({ wallet: WALLET, page: "a/b" }))).status).toBe(422);
  });

  it.each([
    ["nothing", "", "Enter the wallet’s address."],
    ["an address that is too short", WALLET.slice(0, -1), "enter 0x and 40 hexadecimal digits."],
    ["mark-up", '"><b>', "enter 0x and 40 hexadecimal digits."],
  ])("refuses %s beside the field, without a call", async (_, wallet, text) => {
    const answer = await lookUp(wallet);
    expect([answer.status, answer.headers.get("cache-control")]).toStrictEqual([422, "no-store"]);
    const html = await answer.text();
    expect(html).toMatch(new RegExp(`id="wallet-error" role="alert">[^<]*${text}</p>`));
    expect(html).toContain(' aria-invalid="true">');
    expect(html).not.toContain("<b>");
    expect(gateway.fake.positions).toHaveLength(0);
  });

  it.each([
    ["a body that is no form", () => send(`wallet=${WALLET}`, { headers: { "content-type": "text/plain" } })],
    ["a large body", () => send(new URLSearchParams({ wallet: "1".repeat(2_000) }))],
    [
      "a large body of unknown length",
      () =>
        send("", {
          body: new Blob(["wallet=", "1".repeat(2_000)]).stream(),
          headers: { "content-type": "application/x-www-form-urlencoded" },
          duplex: "half",
        } as RequestInit),
    ],
  ])("asks again after %s", async (_, sent) => {
    const answer = await sent();
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain("Enter the wallet’s address.");
    expect(gateway.fake.positions).toHaveLength(0);
  });

  it("tells a reader for whom there is no room, and answers the others", async () => {
    await get();
    gateway.fake.hold();
    const waiting = lookUp(WALLET);
    await expect.poll(() => gateway.fake.positions.length).toBe(1);
    const refused = await lookUp(WALLET);
    expect([refused.status, refused.headers.get("retry-after")]).toStrictEqual([429, "1"]);
    const html = await refused.text();
    expect(html).toContain("Too many wallets are being looked up at the moment. Please try again in a few seconds.");
    expect(html).toContain(`value="${WALLET}"`);
    gateway.fake.release();
    expect((await waiting).status).toBe(200);
  });

  it("keeps the page's figures while wallets can't be looked up", async () => {
    await get();
    gateway.fake.fail(Code.Unavailable);
    const answer = await lookUp(WALLET);
    expect([answer.status, answer.headers.get("retry-after")]).toStrictEqual([503, "1"]);
    const html = await answer.text();
    expect(html).toContain("Wallets can’t be looked up at the moment.");
    expect(html).toContain('<data id="total"');
  });

  it("writes no wallet into the log, whatever happens", async () => {
    const lines = (["error", "warn", "info"] as const).map((level) => vi.spyOn(silentLogger, level));
    await get();
    await lookUp(WALLET);
    for (const code of [Code.Internal, Code.InvalidArgument, Code.Unavailable]) {
      gateway.fake.fail(code);
      await lookUp(WALLET);
    }
    const logged = lines.flatMap(({ mock }) => mock.calls).map((call) => call.map(String).join(" "));
    for (const spy of lines) spy.mockRestore();
    expect(logged.length).toBeGreaterThan(0);
    expect(logged.join("\n").toLowerCase()).not.toContain(WALLET.slice(2).toLowerCase());
  });

  it("is found among the longest data, and answers the same page but for itself", async () => {
    setSale({ ...worstSale(revision + 1n), position: POSITION });
    const sections = /<section class="panel look-up".*?<\/section>/s;
    const [page, answered] = [await get(), await (await lookUp(WALLET)).text()];
    expect(answered).toMatch(sections);
    expect(answered.replace(sections, "")).toBe(page.replace(sections, ""));
  });

  it("is answered for sales that exist only, and only at the page's own path", async () => {
    const unknown = await send(
      new URLSearchParams({ wallet: WALLET }),
      {},
      "/sales/00000000-0000-4000-8000-000000000000",
    );
    expect(unknown.status).toBe(404);
    const chart = await send(new URLSearchParams({ wallet: WALLET }), {}, `${PAGE}/history.svg`);
    expect([chart.status, chart.headers.get("allow")]).toStrictEqual([405, "GET, HEAD"]);
    expect(gateway.fake.positions).toHaveLength(0);
  });
});
