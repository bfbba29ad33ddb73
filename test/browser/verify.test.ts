import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { LocalBus } from "../../common/platform/bus/local-bus.ts";
import { saleRows } from "../support/chains/evm-chain.ts";
import { violationsOf } from "../support/pages/axe.ts";
import { launchChromium } from "../support/pages/browser.ts";
import { type CommitmentsFixture, startCommitments } from "../support/processes/commitments-fixture.ts";
import { type PublicGateway, startPublicGateway } from "../support/processes/public-gateway.ts";
import { temporaryFolder } from "../support/processes/temporary-folder.ts";
import { until } from "../support/repository/polling.ts";
import { VerifyFixture } from "../support/sales/verify-fixture.ts";

const ROWS = saleRows(130);
const WAIT = { timeout: 120_000 };
const SAME = "Everything that was compared is the same.";

let browser: Browser;
let removeFolder: (() => Promise<void>) | undefined;
let service: CommitmentsFixture;
let gateway: PublicGateway;
let sale: VerifyFixture;
let page: Page;

beforeAll(async () => {
  browser = await launchChromium();
  const folder = await temporaryFolder();
  removeFolder = folder.remove;
  const bus = new LocalBus();
  const file = join(folder.path, "test.sqlite");
  service = await startCommitments({ dialect: "sqlite", file, remove: folder.remove }, { bus });
  gateway = await startPublicGateway(service, bus);
  sale = await VerifyFixture.start(service);
  sale.mine(ROWS);
  await sale.publish();
  const read = async () => (await fetch(`${gateway.origin}/svc/v1/public/sales/${sale.saleUuid}`)).json();
  await until(async () => (await read()).AsOf?.Block === `${sale.position.height}`, 20);
});
afterAll(async () => {
  await browser?.close();
  await sale?.[Symbol.asyncDispose]();
  await gateway?.stop();
  await service?.stop();
  await removeFolder?.();
});

/** URLs that the page has asked for. */
let asked: string[] = [];
beforeEach(async () => {
  const context = await browser.newContext();
  page = await context.newPage();
  asked = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.goto(`${gateway.origin}/sales/verify?sale=${sale.saleUuid}`);
  return () => context.close();
});

/** Lets the page ask the node, as one that takes part in CORS does. */
async function allowNode(): Promise<void> {
  await page.route(sale.node.url, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, headers: { ...response.headers(), "access-control-allow-origin": "*" } });
  });
}

const fill = (name: string, text: string) => page.getByLabel(name, { exact: true }).fill(text);
const compare = () => page.getByRole("button", { name: "Compare", exact: true }).click();
const state = (text: string | RegExp) => page.getByRole("status").filter({ hasText: text }).waitFor(WAIT);

it("compares a sale with its contract, at the node that is named, and asks nobody else", async () => {
  await allowNode();
  await fill("URL of a node", sale.node.url);
  await compare();
  await state(SAME);
  const outcome = page.locator("#compare-outcome");
  expect(await outcome.textContent()).toContain(`from ${new URL(sale.node.url).host}`);
  expect(await outcome.locator('[data-outcome="differs"]').count()).toBe(0);
  expect(await outcome.locator('[data-outcome="same"]').allTextContents()).toEqual(
    expect.arrayContaining([expect.stringContaining("Total"), expect.stringContaining("Latest commitments")]),
  );
  const hosts = new Set(asked.map((url) => new URL(url).origin));
  expect([...hosts].sort()).toEqual([gateway.origin, new URL(sale.node.url).origin].sort());
  expect(await page.context().cookies()).toEqual([]);
  expect(await violationsOf(page)).toEqual([]);
});

it("names what differs", async () => {
  await allowNode();
  await page.route("**/commitment-data", async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    await route.fulfill({ response, json: { ...body, TotalCommitmentAmount: "1" } });
  });
  await fill("URL of a node", sale.node.url);
  await compare();
  await state("Not the same: 1 difference.");
  expect(await page.locator("#compare-outcome li").first().textContent()).toMatch(/shown 1\b|shown 0\.000001/);
});

it("asks through a wallet", async () => {
  await page.exposeFunction("askNode", async (method: string, params: unknown) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const answer = await fetch(sale.node.url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    return answer.json();
  });
  await page.addInitScript(() => {
    const ask = async ({ method, params }: { method: string; params?: unknown[] }) => {
      const { askNode } = globalThis as unknown as { askNode: (method: string, params: unknown) => Promise<never> };
      const { result, error } = await askNode(method, params ?? []);
      if (error) throw error;
      return result;
    };
    Object.assign(globalThis, { ethereum: { request: ask } });
  });
  await page.reload();
  await page.getByRole("button", { name: "Compare through the browser’s wallet" }).click();
  await state(SAME);
  expect(asked.every((url) => url.startsWith(gateway.origin))).toBe(true);
});

it("says which field to mend, and why nothing can be said", async () => {
  await fill("Address of the sale’s page", "somewhere");
  await compare();
  await page.getByRole("alert").filter({ hasText: "Enter the address of a sale’s page" }).waitFor(WAIT);
  await fill("Address of the sale’s page", `${gateway.origin}/sales/${sale.saleUuid}`);
  await fill("URL of a node", "http://node.example");
  await compare();
  await page.getByRole("alert").filter({ hasText: "Enter a URL that begins with https://" }).waitFor(WAIT);
  // This node answers no page of another origin.
  await fill("URL of a node", sale.node.url);
  await compare();
  await state(/Nothing could be said: .*can't be reached/);
  expect(await page.getByRole("button", { name: "Stop" }).isVisible()).toBe(false);
});

it("stops when it is told to", async () => {
  const asked = Promise.withResolvers<void>();
  await page.route(sale.node.url, () => asked.resolve());
  await fill("URL of a node", sale.node.url);
  await compare();
  await asked.promise;
  await page.getByRole("button", { name: "Stop" }).click();
  await state("Stopped.");
});

it("may connect elsewhere, as no other page may, and has no session", async () => {
  const policyOf = async (path: string) => (await fetch(gateway.origin + path)).headers.get("content-security-policy");
  expect(await policyOf("/sales/verify")).toContain("connect-src 'self' https: http://localhost:* http://127.0.0.1:*;");
  expect(await policyOf(`/sales/${sale.saleUuid}`)).toContain("connect-src 'self';");
});
