import { create } from "@bufbuild/protobuf";
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { SALE } from "../../gateway/testing/fake-commitments.ts";
import { type RunningGateway, runGateway } from "../../gateway/testing/gateway-parts.ts";
import { SALE_LOGO, saleStates } from "../../gateway/testing/sale-states.ts";
import { GetPublicRulesResponseSchema } from "../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import { EntityType } from "../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { pngImage } from "../../services/auth/testing/images.ts";
import { violationsOf } from "../support/pages/axe.ts";
import { launchChromium } from "../support/pages/browser.ts";
import { openWatchedPage } from "../support/pages/watched-page.ts";

const WAIT = { timeout: 30_000 };
/** A group with the longest name, which no line holds, and one as founders name them. */
const GROUPS = [
  {
    name: "Early supporters",
    opensAt: 1_796_083_200n,
    closesAt: 1_798_675_200n,
    minAmount: "100000000",
    maxAmount: "5000500000",
  },
  { name: "W".repeat(100), minAmount: "0", maxPriceTicks: 5n, forcedLockup: true },
];
const RULES = {
  enabled: true,
  entityTypes: [EntityType.PERSON, EntityType.ORGANIZATION],
  countries: ["KP", "US", "GB", "CD", "IR", "CU", "SY"],
  groups: GROUPS,
  defaultGroupName: "Early supporters",
  maxWalletsPerEntity: 3,
  linkingRequired: true,
  walletsScreened: true,
};

let browser: Browser;
let gateway: RunningGateway;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());
beforeEach(async () => {
  const getPublicRules = async () => create(GetPublicRulesResponseSchema, { rules: RULES });
  gateway = await runGateway({}, { getPublicRules });
  gateway.fake.logos.set(SALE_LOGO, pngImage(64, 64));
  gateway.fake.sales.set(SALE, saleStates(1_800_000_000n).cleared);
  // The first reader has them asked for.
  await fetch(`${origin()}/sales/${SALE}`);
  gateway.clock.now += 2_000;
});
afterEach(() => gateway.server.close(AbortSignal.abort()));

const origin = () => `http://127.0.0.1:${gateway.server.port}`;

it.each([
  [320, "dark", "de-DE"],
  [360, "light", "de-DE"],
  [1280, "dark", "en-GB"],
  [1280, "light", "en-GB"],
] as const)(
  "a sale's page shows its rules, which are a page of their own, too, %i px wide, %s, in %s",
  async (width, colorScheme, locale) => {
    const options = { baseURL: origin(), viewport: { width, height: 900 }, colorScheme, locale };
    const { page, complaints } = await openWatchedPage(browser, options);
    const isTooWide = () => page.evaluate("document.documentElement.scrollWidth > innerWidth");
    await page.goto(`/sales/${SALE}`);
    await page.locator("#decides").scrollIntoViewIfNeeded();
    const shown = page.locator("#decides .rules");
    await shown.waitFor(WAIT);
    const text = await shown.textContent();
    expect(await isTooWide()).toBe(false);
    expect(await violationsOf(page)).toEqual([]);
    await page.goto(`/sales/${SALE}/rules`);
    expect(await page.locator(".rules").textContent()).toBe(text);
    expect(text).toContain("Early supporters");
    expect(await isTooWide()).toBe(false);
    expect(await violationsOf(page)).toEqual([]);
    expect(complaints).toEqual([]);
  },
);

it("a sale's page leads to its rules without script", async () => {
  const { page } = await openWatchedPage(browser, { baseURL: origin(), javaScriptEnabled: false });
  await page.goto(`/sales/${SALE}`);
  await page.getByRole("link", { name: "Who may take part" }).click();
  await page.getByRole("heading", { name: "Who may take part" }).waitFor(WAIT);
  expect(await page.locator(".rules").textContent()).toContain("Early supporters");
});
