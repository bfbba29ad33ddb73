import { readFileSync } from "node:fs";
import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ClientSchema, ClientService } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import {
  ClearingRule,
  ContractFamily,
  SaleDefinitionSchema,
} from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import {
  ChainKind,
  CheckSourceResponseSchema,
  CheckTokensResponseSchema,
  ListChainsResponseSchema,
} from "../../../proto/gen/tidemark/indexer/v1/indexer_service_pb.ts";
import { USER } from "../../../test/support/processes/auth-in-process.ts";
import { harbourPortal } from "../../testing/auth-gateway.ts";
import { SALE } from "../../testing/fake-commitments.ts";
import { FounderSite, harbourAuction } from "../../testing/founder-site.ts";
import { hiddenFieldsOf, type PageBrowser, type ShownPage } from "../../testing/page-browser.ts";
import { englishOn } from "../../testing/text-leaves.ts";
import { DE } from "../../web/texts/de.ts";
import { EN } from "../../web/texts/en.ts";
import type { IndexerClient } from "../base/dashboard-dependencies.ts";
import { NEW_SALE_PATH } from "../base/dashboard-paths.ts";
import { SALE_FORM_ID } from "../definition/sale-form.ts";

const CONTRACT = `0x${"c1".repeat(20)}`;
const USDC = `0x${"a1".repeat(20)}`;
const OTHER = `0x${"b2".repeat(20)}`;
const AUCTION = `0x${"c5".repeat(20)}`;
/** The address that stands for a chain's own coin. */
const COIN = `0x${"0".repeat(40)}`;
const UNLISTED = `0x${"d3".repeat(20)}`;
const SQUARE = new Uint8Array(readFileSync("services/demo/logos/square.png"));
const WIDE = new Uint8Array(readFileSync("services/demo/logos/wide.png"));

/** The answer about an auction that is paid in the chain's own coin. */
const AUCTION_CHECK = {
  ...{ readable: true, height: 19_000_000n, family: ContractFamily.CCA, paymentTokens: [COIN], maxWalletsPerEntity: 1 },
  cancelledKeepsAmounts: false,
  auction: {
    ...{ version: "1.1.0", offeredToken: OTHER, tickSpacing: String(2n ** 90n), validationHook: USDC },
    start: { number: 18_999_999n, time: { seconds: 1_800_000_000n } },
    end: { number: 19_000_100n, time: { seconds: 1_800_001_212n }, estimated: true },
    claim: { number: 19_000_200n, estimated: true },
  },
  proposedDefinition: {
    ...{ paymentTokens: [{ address: COIN, decimals: 18, symbol: "ETH" }], paymentTokenDecimals: 18 },
    ...{ offeredTokenDecimals: 6, priceTick: { numerator: "1", denominator: String(2n ** 96n) }, widePrices: true },
    pricing: {
      case: "auction" as const,
      value: {
        ...{ offeredAmount: "5000000", floorTicks: String(2n ** 100n + 1n), incrementTicks: "1" },
        clearingRule: ClearingRule.LOWEST_NOT_OUTBID,
      },
    },
    source: { case: "evm" as const, value: { chain: "ethereum", contract: AUCTION, family: ContractFamily.CCA } },
    presentation: { offeredTokenSymbol: "TIDE" },
  },
};

let site: FounderSite;
let browser: PageBrowser;
let asked: string[];
/** The tokens that contracts take. */
let taken: string[];
beforeEach(async () => {
  asked = [];
  taken = [USDC];
  const STABLECOINS = JSON.stringify({ ethereum: [USDC, OTHER] });
  site = await FounderSite.start(undefined, { STABLECOINS }, indexer());
  await site.gateway.auth.as("operator").memberships.inviteFounder({ email: USER });
  browser = site.browser();
});
afterEach(() => site.stop());

/** An indexer with one chain, whose tokens have six decimals. */
function indexer(): IndexerClient {
  const chains = [{ name: "ethereum", kind: ChainKind.EVM }];
  return {
    listChains: async () => create(ListChainsResponseSchema, { chains }),
    checkSource: async ({ address = "" }) => {
      asked.push(address);
      if (address === AUCTION) return create(CheckSourceResponseSchema, AUCTION_CHECK);
      return create(CheckSourceResponseSchema, {
        ...{ readable: true, height: 19_000_000n, paymentTokens: [...taken], cancelledKeepsAmounts: true },
        ...{ contractVersion: 1, maxWalletsPerEntity: 30 },
      });
    },
    checkFinality: () => Promise.reject(new Error("not part of this test")),
    checkTokens: async ({ addresses = [] }) =>
      create(CheckTokensResponseSchema, {
        tokens: addresses.map((address) =>
          address === COIN
            ? { address, decimals: 18, symbol: "ETH" }
            : { address, decimals: 6, symbol: address === OTHER ? "EURC" : "USDC" },
        ),
      }),
  };
}

/** Returns the address that the form of a page is sent to. */
function actionOf({ html }: ShownPage): string {
  return /<form id="sale-form" method="post" action="([^"]*)"/.exec(html)?.[1] ?? NEW_SALE_PATH;
}

/** Returns all fields that a browser would send of the form, those of hidden steps included. */
function fieldsOf(page: ShownPage): Record<string, string> {
  const { html } = page;
  const action = actionOf(page);
  const start = html.indexOf(`action="${action}"`);
  const form = html.slice(start, html.indexOf("</form>", start));
  const fields = Object.fromEntries(hiddenFieldsOf(html, action));
  const put = (name: string, value: string) => {
    fields[name] = value.replaceAll("&quot;", '"').replaceAll("&amp;", "&");
  };
  for (const [tag] of form.matchAll(/<input [^>]*>/g)) {
    const [, name = ""] = / name="([^"]*)"/.exec(tag) ?? [];
    const [, value = ""] = / value="([^"]*)"/.exec(tag) ?? [];
    const isChoice = /type="(?:radio|checkbox)"/.test(tag);
    if (!/type="(?:hidden|file)"/.test(tag) && (!isChoice || / checked/.test(tag))) put(name, value);
  }
  for (const [, name = "", value = ""] of form.matchAll(/<textarea [^>]*name="([^"]*)"[^>]*>\n?([^<]*)</g))
    put(name, value);
  for (const [, name = "", options = ""] of form.matchAll(/<select [^>]*name="([^"]*)"[^>]*>([\s\S]*?)<\/select>/g)) {
    put(name, /value="([^"]*)" selected/.exec(options)?.[1] ?? "");
  }
  return fields;
}

const go = (page: ShownPage, action: string, fields: Readonly<Record<string, string>> = {}) =>
  browser.post(actionOf(page), { ...fieldsOf(page), ...fields, do: action });

/** Sends the last step as the page does: with files. */
function finish(
  page: ShownPage,
  fields: Readonly<Record<string, string>> = {},
  files: Record<string, Uint8Array<ArrayBuffer>> = {},
) {
  const body = new FormData();
  for (const [name, value] of Object.entries({ ...fieldsOf(page), ...fields, do: "create" })) body.append(name, value);
  for (const [name, bytes] of Object.entries(files))
    body.append(name, new File([bytes], `${name}.png`, { type: "image/png" }));
  return browser.post(actionOf(page), body);
}

/** Returns what the Enter key in a field does: browsers press the first button of the page that belongs to the form. */
function enterOn({ html }: ShownPage): string | undefined {
  const start = html.indexOf(`<form id="${SALE_FORM_ID}"`);
  const end = html.indexOf("</form>", start);
  const belongs = (tag: string, at: number) => tag.includes(` form="${SALE_FORM_ID}"`) || (at > start && at < end);
  const own = Array.from(html.matchAll(/<button[^>]*>/g)).find((match) => belongs(match[0], match.index));
  return / value="([^"]*)"/.exec(own?.[0] ?? "")?.[1];
}

/** Returns the number of the step that a page shows. */
const stepOf = ({ html }: ShownPage) => /<div class="step" role="group" aria-labelledby="step-(\d)">/.exec(html)?.[1];
const textOf = (html: string) => html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");

/** Fills in the first three steps. */
async function lastStep(): Promise<ShownPage> {
  const second = await go(await browser.open(NEW_SALE_PATH), "step-2", { address: CONTRACT });
  const third = await go(second, "step-3", { price: "0.25" });
  return go(third, "step-4", { name: "Harbour Token", description: "A harbour." });
}

describe("a new sale of an auction that states its terms", () => {
  it("is filled in from the contract, and is what the contract says", async () => {
    const second = await go(await browser.open(NEW_SALE_PATH), "step-2", { address: AUCTION });
    expect(stepOf(second)).toBe("2");
    const text = textOf(second.html);
    expect(text).toContain("Contract Continuous Clearing Auction 1.1.0");
    expect(text).toContain("Token for sale TIDE, ");
    expect(text).toContain("Bids from block 18,999,999, 15 Jan 2027, 08:00 UTC");
    expect(text).toMatch(/No more bids from block 19,000,100, about 15 Jan 2027, 08:20 UTC \(estimated\)/);
    expect(text).toContain("Tokens from block 19,000,200 ");
    expect(text).toContain(`whom the contract ${USDC} lets`);
    expect(text).toContain("Must raise unknown");
    expect(text).toContain("You needn’t enter them.");
    const third = await go(second, "step-3");
    expect(stepOf(third)).toBe("3");
    const last = await go(third, "step-4", { name: "Harbour Token", description: "A harbour." });
    const { path } = await finish(last);
    const saleUuid = path.split("/")[3]?.split("?")[0] ?? "";
    const { sale } = await site.gateway.sales.as("operator").sales.getSale({ saleUuid });
    const { name: _, presentation: __, ...settings } = create(SaleDefinitionSchema, AUCTION_CHECK.proposedDefinition);
    expect(sale?.definition).toMatchObject({ ...settings, name: "Harbour Token", paymentTokens: [{ address: COIN }] });
    expect(sale?.definition?.presentation?.offeredTokenSymbol).toBe("TIDE");
  });

  it("asks for prices again once another contract is entered", async () => {
    const second = await go(await browser.open(NEW_SALE_PATH), "step-2", { address: AUCTION });
    const first = await go(second, "back-1");
    const again = await go(first, "step-2", { address: CONTRACT });
    expect(fieldsOf(again)).toMatchObject({ contract_family: "", kind: "fixed", floor: "", token_address_0: USDC });
    expect(textOf(again.html)).not.toContain("You needn’t enter them.");
  });
});

describe("a new sale", () => {
  it("takes four steps to a draft that can open, with little to enter", async () => {
    const first = await browser.open(NEW_SALE_PATH);
    expect(stepOf(first)).toBe("1");
    expect(fieldsOf(first)).toMatchObject({ source: "chain", chain: "ethereum", tenancy: "test" });
    const second = await go(first, "step-2", { address: CONTRACT });
    expect(stepOf(second)).toBe("2");
    expect(fieldsOf(second)).toMatchObject({ token_address_0: USDC, token_decimals_0: "6", keeps_amounts: "yes" });
    expect(textOf(second.html)).toContain("Read from your contract A sale that can be read");
    expect(textOf(second.html)).toContain("On the chain: USDC, 6 decimals.");
    const third = await go(second, "step-3", { price: "0.25" });
    expect(stepOf(third)).toBe("3");
    const fourth = await go(third, "step-4", { name: "Harbour Token", description: "A harbour.", symbol: "HARB" });
    expect(stepOf(fourth)).toBe("4");
    expect(textOf(fourth.html)).toContain("Files aren’t kept: if you leave this step, choose them again.");
    expect(textOf(fourth.html)).toContain("0.25 USDC per token");
    const sale = await finish(
      fourth,
      { redirect_uri: "http://localhost:3000/oauth/callback", invite: "helper@example.org" },
      { square: SQUARE, wide: WIDE },
    );
    const text = textOf(sale.html);
    expect(text).toContain("The sale is created, as a draft.");
    expect(text).toContain("It can open");
    expect(text).toContain("There is an application: Harbour Token");
    const saleUuid = sale.path.split("/")[3]?.split("?")[0] ?? "";
    const stored = await site.gateway.sales.as("operator").sales.getSale({ saleUuid });
    expect(stored.sale?.definition?.presentation).toMatchObject({
      description: "A harbour.",
      offeredTokenSymbol: "HARB",
    });
    expect(stored.sale?.definition?.presentation?.logo).toMatch(/^[0-9a-f]{64}/);
    const { members } = await site.gateway.auth.as("operator").memberships.listMembers({ saleUuid });
    expect(members.map(({ email }) => email)).toContain("helper@example.org");
  });

  it("is in German, keeps a number as it was entered, and shows it to a reader of English as English writes it", async () => {
    browser.cookies.set("tidemark-language", "de");
    const first = await browser.open(NEW_SALE_PATH);
    const second = await go(first, "step-2", { address: CONTRACT });
    const refused = await go(second, "step-3", { price: "5.000" });
    expect(textOf(refused.html)).toContain(
      "Preis eines Tokens: Geben Sie 5000 oder 5.0000 ein, je nachdem, was gemeint ist",
    );
    browser.cookies.set("tidemark-language", "en");
    expect(fieldsOf(await browser.open(`${NEW_SALE_PATH}?step=2`))).toMatchObject({ price: "" });
    browser.cookies.set("tidemark-language", "de");
    const third = await go(refused, "step-3", { price: "0,25", amount: "1.000.000,5", offered_decimals: "18" });
    expect(stepOf(third)).toBe("3");
    expect(fieldsOf(third)).toMatchObject({ price: "0,25", amount: "1.000.000,5" });
    expect(textOf(third.html)).toContain("0,25 USDC je Token");
    expect(textOf(third.html)).toContain("1.000.000,5 Token");
    const fourth = await go(third, "step-4", { name: "Harbour Token", description: "A harbour." });
    expect(stepOf(fourth)).toBe("4");
    for (const { html } of [first, second, refused, third, fourth]) expect(englishOn(html, EN, DE)).toStrictEqual([]);
    browser.cookies.set("tidemark-language", "en");
    const inEnglish = await browser.open(`${NEW_SALE_PATH}?step=2`);
    expect(fieldsOf(inEnglish)).toMatchObject({ price: "0.25", amount: "1,000,000.5" });
    expect(textOf(inEnglish.html)).toContain("0.25 USDC per token");
    const sale = await finish(await go(await go(inEnglish, "step-3"), "step-4"));
    expect(textOf(sale.html)).toContain("0.25 USDC per token");
  });

  it("has the operator's stablecoins to choose by name, with what the chain says", async () => {
    const second = await go(await browser.open(NEW_SALE_PATH), "step-2", { address: CONTRACT });
    const boxes = Array.from(
      second.html.matchAll(/name="stablecoin" value="(0x[0-9a-f]+)"( checked)?/g),
      ([, address, on]) => [address, on !== undefined],
    );
    // The contract takes the first one.
    expect(boxes).toEqual([
      [USDC, true],
      [OTHER, false],
    ]);
    expect(textOf(second.html)).toContain(`USDC, 6 decimals ${USDC}`);
    const other = await go(second, "step-3", { price: "0.25", stablecoin: OTHER });
    expect(fieldsOf(other)).toMatchObject({ token_address_0: OTHER, token_decimals_0: "6" });
    expect(fieldsOf(other)["token_address_1"]).toBeUndefined();
    const { stablecoin: _, ...none } = fieldsOf(other);
    const unticked = await browser.post(NEW_SALE_PATH, { ...none, do: "step-3" });
    expect(textOf(unticked.html)).toContain("Enter the address of the payment token");
  });

  it("shows what the contract says of itself, how that differs from the entries, and what it can’t say", async () => {
    const second = await go(await browser.open(NEW_SALE_PATH), "step-2", { address: CONTRACT });
    const said = `Payment token USDC, 6 decimals ${USDC} Version 1 Cancelled commitments keep their amounts Wallets of a bidder at most 30`;
    expect(textOf(second.html)).toContain(said);
    expect(textOf(second.html)).toContain("neither the price rule nor how many tokens are for sale: enter both");
    await go(second, "step-3", { price: "0.25", stablecoin: OTHER });
    const back = await browser.open(`${NEW_SALE_PATH}?step=2`);
    expect(textOf(back.html)).toContain(`The contract takes the payment token ${USDC}, which this sale doesn’t list.`);
    expect(textOf(back.html)).toContain("Your contract doesn’t take EURC, which this sale lists");
    expect(textOf(back.html)).toContain(`Payment token ${USDC} Version 1`);
    browser.cookies.set("tidemark-language", "de");
    const inGerman = await browser.open(`${NEW_SALE_PATH}?step=2`);
    expect(textOf(inGerman.html)).toContain("Ihr Contract nimmt EURC nicht an, den dieser Verkauf nennt");
    expect(englishOn(inGerman.html, EN, DE)).toStrictEqual([]);
  });

  it("takes a token of the contract for a dollar only where the operator's list has it", async () => {
    const filled = fieldsOf(await go(await browser.open(NEW_SALE_PATH), "step-2", { address: CONTRACT }));
    expect([filled["token_address_0"], filled["token_usd_0"]]).toEqual([USDC, "yes"]);
    await go(await browser.open(NEW_SALE_PATH), "start-again");
    taken = [UNLISTED];
    const second = await go(await browser.open(NEW_SALE_PATH), "step-2", { address: CONTRACT });
    const fields = fieldsOf(second);
    expect([fields["token_address_0"], fields["token_usd_0"]]).toEqual([UNLISTED, undefined]);
    const third = await go(second, "step-3", { price: "0.25", token_usd_0: "yes" });
    expect(fieldsOf(third)["token_usd_0"]).toBe("yes");
  });

  it("keeps what was entered: from step to step, back, and on another visit", async () => {
    const third = await go(await go(await browser.open(NEW_SALE_PATH), "step-2", { address: CONTRACT }), "step-3", {
      price: "0.25",
      amount: "1,000",
    });
    const back = await go(third, "back-1", { name: "Harbour", description: 'A "harbour" & more' });
    expect(stepOf(back)).toBe("1");
    expect(back.path).toBe(`${NEW_SALE_PATH}?step=1`);
    expect(back.html).not.toContain("You began this sale before");
    const again = await browser.open(NEW_SALE_PATH);
    expect(again.html).toContain("You began this sale before");
    expect(fieldsOf(again)).toMatchObject({
      ...{ address: CONTRACT, price: "0.25", amount: "1,000", name: "Harbour", description: 'A "harbour" & more' },
      ...{ sale: fieldsOf(third)["sale"] },
    });
  });

  it("says what is wrong with a step, and not yet what the next ones lack", async () => {
    const first = await browser.open(NEW_SALE_PATH);
    const refused = await go(first, "step-2", { address: "harbour" });
    expect([refused.status, stepOf(refused)]).toEqual([422, "1"]);
    expect(textOf(refused.html)).toContain("Contract: Write 0x and 40 hexadecimal digits");
    expect(refused.html).not.toContain("Enter a name");
    const second = await go(first, "step-2", { address: CONTRACT });
    const noPrice = await go(second, "step-3");
    expect([noPrice.status, stepOf(noPrice)]).toEqual([422, "2"]);
    expect(textOf(noPrice.html)).toContain("Price of one token: Enter a number");
    const late = await go(await lastStep(), "create", { closes: "soon" });
    expect([late.status, stepOf(late)]).toEqual([422, "3"]);
  });

  it("names a rule of the services at the step of its field", async () => {
    const third = await go(await go(await browser.open(NEW_SALE_PATH), "step-2", { address: CONTRACT }), "step-3", {
      price: "0.25",
    });
    const refused = await go(third, "step-4", { name: "Harbour", website: "ftp://harbour.example" });
    expect([refused.status, stepOf(refused)]).toEqual([422, "3"]);
    expect(refused.html).toContain('href="#website"');
    const unsafe = await go(third, "step-4", { name: "<b>Harbour</b>" });
    expect([unsafe.status, stepOf(unsafe)]).toEqual([422, "3"]);
    expect(unsafe.html).toContain('href="#name"');
  });

  it("goes on after a refused redirect URI where it was, and adds nothing twice", async () => {
    const last = await lastStep();
    const refused = await finish(last, { redirect_uri: "ftp://harbour.example/" }, { square: SQUARE, wide: WIDE });
    expect([refused.status, stepOf(refused)]).toEqual([422, "4"]);
    expect(refused.html).toContain('href="#redirect_uri"');
    const sale = await finish(
      refused,
      { redirect_uri: "https://harbour.example/callback" },
      { square: SQUARE, wide: WIDE },
    );
    expect(textOf(sale.html)).toContain("It can open");
    expect(textOf(sale.html).match(/There is an application/g)).toHaveLength(1);
  });

  it("goes on at the Enter key, on every step and every visit, and never loses anything by it", async () => {
    const first = await browser.open(NEW_SALE_PATH);
    const second = await go(first, "step-2", { address: CONTRACT });
    const third = await go(second, "step-3", { price: "0.25" });
    const fourth = await go(third, "step-4", { name: "Harbour Token" });
    expect([first, second, third, fourth].map(enterOn)).toEqual(["step-2", "step-3", "step-4", "create"]);
    const again = await browser.open(NEW_SALE_PATH);
    expect(again.html).toContain("Empty the form");
    expect(enterOn(again)).toBe("step-2");
  });

  it("needs no application, team or contract", async () => {
    const second = await go(await browser.open(NEW_SALE_PATH), "step-2", { source: "none", chain: "" });
    expect(asked).toEqual([]);
    const third = await go(second, "step-3", { price: "0.25", token_address_0: USDC });
    const sale = await finish(await go(third, "step-4", { name: "Harbour Token" }));
    expect(textOf(sale.html)).toContain("Add an application");
  });

  it("asks for a recent sign-in before the last step, where files are chosen, and comes back to it", async () => {
    const old = site.browser("long ago");
    const step = async (page: ShownPage, action: string, fields: Record<string, string>) =>
      old.post(NEW_SALE_PATH, { ...fieldsOf(page), ...fields, do: action });
    const second = await step(await old.open(NEW_SALE_PATH), "step-2", { address: CONTRACT });
    const third = await step(second, "step-3", { price: "0.25" });
    const asked = await step(third, "step-4", { name: "Harbour Token" });
    expect(asked.html).toContain("Confirm that it’s you");
    const again = await browser.open(`${NEW_SALE_PATH}?step=4`);
    expect(stepOf(again)).toBe("4");
    expect(fieldsOf(again)).toMatchObject({ name: "Harbour Token" });
  });

  it("asks for it, too, where it won’t stay recent while the last step is filled in", async () => {
    const last = await lastStep();
    const old = site.browser();
    const signIn = async (ageMs: number) =>
      old.cookies.set("tidemark-session", await site.gateway.auth.signIn({ by: "passkey", ageMs }));
    await signIn(5 * 60_000);
    expect((await old.open(`${NEW_SALE_PATH}?step=4`)).html).toContain("Confirm that it’s you");
    await signIn(3 * 60_000);
    expect(stepOf(await old.open(`${NEW_SALE_PATH}?step=4`))).toBe(stepOf(last));
  });

  it("creates nothing before the sign-in that redirect URI and invitation need, and loses no entry by it", async () => {
    const entered = { redirect_uri: "https://harbour.example/callback", invite: "helper@example.org" };
    const last = await lastStep();
    const old = site.browser("long ago");
    const own = fieldsOf(await old.open(NEW_SALE_PATH));
    const asked = await old.post(NEW_SALE_PATH, { ...own, ...entered, step: "4", do: "create" });
    expect(asked.html).toContain("Confirm that it’s you");
    const again = await browser.open(`${NEW_SALE_PATH}?step=4`);
    expect(stepOf(again)).toBe("4");
    expect(fieldsOf(again)).toMatchObject({ ...entered, name: "Harbour Token", sale: fieldsOf(last)["sale"] });
    const saleUuid = fieldsOf(last)["sale"] ?? "";
    await expect(site.gateway.sales.as("operator").sales.getSale({ saleUuid })).rejects.toThrow("not_found");
    const sale = await finish(again);
    expect(textOf(sale.html)).toContain("There is an application: Harbour Token");
  });
});

describe("the copy of a sale", () => {
  const COPY = `${NEW_SALE_PATH}?from=${SALE}`;

  it("is offered where a new sale begins, until something is entered", async () => {
    const link = `href="${COPY}"`;
    const first = await browser.open(NEW_SALE_PATH);
    expect(first.html).toContain(link);
    expect((await browser.open(COPY)).html).not.toContain("Begin with a copy");
    expect((await go(first, "step-2", { address: CONTRACT })).html).not.toContain(link);
    expect((await browser.open(NEW_SALE_PATH)).html).not.toContain(link);
  });

  it.each(["ListMemberships", "ListSaleOverviews"])(
    "isn’t offered while %s fails, and a new sale begins",
    async (rpc) => {
      const { auth, sales } = site.gateway;
      for (const { failures } of [auth.faults, sales.faults])
        failures.set(rpc, new ConnectError("away", Code.Unavailable));
      const first = await browser.open(NEW_SALE_PATH);
      expect(stepOf(first)).toBe("1");
      expect(first.html).not.toContain("Begin with a copy");
    },
  );

  it("takes the same steps, filled in as the other sale, but for its contract", async () => {
    const presentation = {
      ...{ description: "A harbour.", offeredTokenSymbol: "HARB", claimTerms: "By wallet." },
      ...{ opensAtSeconds: 1_800_000_000n, settlesAtSeconds: 1_900_000_000n },
    };
    await site.redefine(harbourAuction({ presentation }));
    const first = await browser.open(COPY);
    expect(stepOf(first)).toBe("1");
    expect(textOf(first.html)).toContain("All is filled in as in the other sale , but for its contract");
    const stored = (await site.sale()).definition;
    expect(stored?.source.value).toMatchObject({ contract: expect.stringMatching(/^0x/) });
    const own = fieldsOf(first);
    expect(own).toMatchObject({ tenancy: "live", source: "chain", address: "", token_address_0: "" });
    expect(own).toMatchObject({ kind: "auction", floor: expect.stringMatching(/^[\d.]+$/), name: "Harbour Token" });
    expect(own).toMatchObject({ description: "A harbour.", symbol: "HARB", opens: "2027-01-15T08:00" });
    const second = await go(first, "step-2", { chain: "ethereum", address: CONTRACT });
    expect([stepOf(second), second.path]).toEqual(["2", `${COPY}&step=2`]);
    expect(fieldsOf(second)).toMatchObject({ token_address_0: USDC, token_decimals_0: "6", token_usd_0: "yes" });
    const fourth = await go(await go(second, "step-3"), "step-4", { description: "A live harbour." });
    expect(textOf(fourth.html)).toContain("The applications of the other sale are copied");
    expect(fourth.html).not.toContain("Left empty: the name of the sale.");
    const sale = await finish(fourth);
    expect(textOf(sale.html)).toContain("The copy is created, as a draft");
    const saleUuid = sale.path.split("/")[3]?.split("?")[0] ?? "";
    const copy = (await site.gateway.sales.as("operator").sales.getSale({ saleUuid })).sale;
    expect(copy?.definition?.pricing).toEqual(stored?.pricing);
    expect(copy?.definition?.source.value).toMatchObject({ contract: CONTRACT });
    expect(copy?.definition?.presentation).toMatchObject({
      description: "A live harbour.",
      claimTerms: "By wallet.",
      opensAtSeconds: 1_800_000_000n,
    });
    expect(copy?.definition?.presentation?.settlesAtSeconds).toBeUndefined();
  });

  it("keeps the width of prices and the rule of the other auction, which no step asks for", async () => {
    const q96 = 2n ** 96n;
    const value = { offeredAmount: "1000", floorTicks: `${5n * q96 + 3n}`, incrementTicks: "1" };
    const pricing = {
      case: "auction" as const,
      value: { ...value, clearingRule: ClearingRule.LOWEST_NOT_OUTBID },
    };
    const priceTick = { numerator: "1", denominator: `${q96}` };
    await site.redefine(harbourAuction({ offeredTokenDecimals: 6, priceTick, pricing, widePrices: true }));
    const second = await go(await browser.open(COPY), "step-2", { chain: "ethereum", address: CONTRACT });
    expect(textOf(second.html)).toContain("Clearing price the lowest at which the demand above it costs no more");
    const sale = await finish(await go(await go(second, "step-3"), "step-4"), {});
    const saleUuid = sale.path.split("/")[3]?.split("?")[0] ?? "";
    const copy = (await site.gateway.sales.as("operator").sales.getSale({ saleUuid })).sale?.definition;
    expect(copy).toMatchObject({ priceTick, pricing, widePrices: true });
  });

  it("has the applications of the other sale, the first one with what was entered for it", async () => {
    await harbourPortal(site.gateway.auth);
    const second = await go(await browser.open(COPY), "step-2", { chain: "ethereum", address: CONTRACT });
    const last = await go(await go(second, "step-3"), "step-4");
    const refused = await finish(last, { redirect_uri: "ftp://harbour.example/" });
    expect([refused.status, stepOf(refused)]).toEqual([422, "4"]);
    expect(refused.html).toContain('href="#redirect_uri"');
    const entered = { redirect_uri: "https://harbour.example/callback", application_name: "Live Portal" };
    const sale = await finish(refused, entered);
    const saleUuid = sale.path.split("/")[3]?.split("?")[0] ?? "";
    const of = async (uuid: string) =>
      (await site.gateway.auth.as("operator").clients.listClients({ saleUuid: uuid })).clients;
    const [[before], there] = await Promise.all([of(SALE), of(saleUuid)]);
    expect(there).toHaveLength(1);
    expect(there[0]?.definition).toMatchObject({
      ...{ name: "Live Portal", redirectUris: ["https://harbour.example/callback"] },
      scopes: before?.definition?.scopes.map(({ scope, required }) => ({ scope, required })),
    });
    expect(there[0]).toMatchObject({ squareLogo: before?.squareLogo, wideLogo: before?.wideLogo });
  });

  it("says so where not all applications of the other sale could be copied", async () => {
    await harbourPortal(site.gateway.auth);
    site.gateway.auth.faults.edit(ClientService.method.listClients, ({ clients: [one], clients }) => {
      if (one !== undefined) clients.push(create(ClientSchema, { definition: { name: "" } }));
    });
    const second = await go(await browser.open(COPY), "step-2", { chain: "ethereum", address: CONTRACT });
    const sale = await finish(await go(await go(second, "step-3"), "step-4"), {});
    expect(sale.html).toContain("Not all applications could be copied");
  });

  it("is kept apart from a new sale, and is filled in from the other sale again once it is emptied", async () => {
    await go(await browser.open(COPY), "step-2", { chain: "ethereum", address: CONTRACT, name: "Another" });
    const again = await browser.open(COPY);
    expect(again.html).toContain("You began this sale before");
    expect([fieldsOf(again)["name"], enterOn(again)]).toEqual(["Another", "step-2"]);
    expect(fieldsOf(await browser.open(NEW_SALE_PATH))["name"]).toBe("");
    const emptied = await go(again, "start-again");
    expect([stepOf(emptied), fieldsOf(emptied)["name"], fieldsOf(emptied)["address"]]).toEqual([
      "1",
      "Harbour Token",
      "",
    ]);
  });

  it("comes back to its own last step after a sign-in", async () => {
    const last = await go(
      await go(await go(await browser.open(COPY), "step-2", { chain: "ethereum", address: CONTRACT }), "step-3"),
      "step-4",
    );
    expect(stepOf(last)).toBe("4");
    const old = site.browser("long ago");
    expect((await old.open(`${COPY}&step=4`)).html).toContain("Confirm that it’s you");
    expect(fieldsOf(await browser.open(`${COPY}&step=4`))["sale"]).toBe(fieldsOf(last)["sale"]);
  });
});
