import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { entityPaths, NEW_ENTITY_PATH } from "../../gateway/account/entities/entity-paths.ts";
import {
  applicationPaths,
  NEW_SALE_PATH,
  REVIEWS_PATH,
  reviewPath,
  salePaths,
  takingPartPaths,
} from "../../gateway/dashboard/base/dashboard-paths.ts";
import { CLIENT_ID, harbourPortal } from "../../gateway/testing/auth-gateway.ts";
import { OTHER_SALE, SALE } from "../../gateway/testing/fake-commitments.ts";
import { FounderSite } from "../../gateway/testing/founder-site.ts";
import { addEntity } from "../../gateway/testing/own-entities.ts";
import { speakPseudoLanguage } from "../../gateway/testing/pseudo-language.ts";
import { saleStates } from "../../gateway/testing/sale-states.ts";
import { AUTH_PATHS, DASHBOARD_PATH, GUIDE_PATH } from "../../gateway/web/sessions/auth-paths.ts";
import { launchChromium } from "../support/pages/browser.ts";
import { PAGES_OF_SALE } from "../support/pages/founder-pages.ts";
import { openWatchedPage, type WatchedPage } from "../support/pages/watched-page.ts";
import { USER } from "../support/processes/auth-in-process.ts";

const PHONE = 360;
const REVIEWED = "12121212-1212-4212-8212-121212121212";
const OWN = "13131313-1313-4313-8313-131313131313";
const ENTITY = entityPaths(OWN);
const APPLICATION = applicationPaths(SALE, CLIENT_ID);
const TAKING_PART = takingPartPaths(SALE);

const ACCOUNT_PAGES = [
  AUTH_PATHS.signIn,
  AUTH_PATHS.signedOut,
  AUTH_PATHS.account,
  AUTH_PATHS.email,
  AUTH_PATHS.passkeys,
  AUTH_PATHS.passkeyRule,
  AUTH_PATHS.recovery,
  AUTH_PATHS.data,
  AUTH_PATHS.deleteAccount,
  NEW_ENTITY_PATH,
  ENTITY.entity,
  ENTITY.wallet,
  ENTITY.remove,
];
const DASHBOARD_PAGES = [
  DASHBOARD_PATH,
  NEW_SALE_PATH,
  GUIDE_PATH,
  REVIEWS_PATH,
  reviewPath(REVIEWED),
  ...PAGES_OF_SALE.filter((page) => page !== "/preview").map((page) => `${salePaths(SALE).sale}${page}`),
  APPLICATION.application,
  APPLICATION.security,
  APPLICATION.preview,
  TAKING_PART.overview,
  TAKING_PART.rules,
  TAKING_PART.groupMembers,
  TAKING_PART.denyList,
  TAKING_PART.freezes,
  TAKING_PART.signer,
  TAKING_PART.permits,
];

/**
 * Expression for a page: what is wrong with it from right to left. Words in Latin letters are names, addresses, units and what is marked
 * as another language; any others are texts that no language file has.
 */
const FAULTS = `(() => {
  const faults = [];
  const { documentElement: root } = document;
  if (root.dir !== "rtl") faults.push("the page isn't from right to left");
  if (root.scrollWidth > innerWidth) faults.push("it is " + root.scrollWidth + " pixels wide");
  const isShown = (element) => element.checkVisibility() && !element.closest("[lang]:not(:root), code, pre, bdi, data, [dir='ltr'], [dir='auto'], svg");
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { data, parentElement } = walker.currentNode;
    if (/[a-z]{3}/i.test(data) && isShown(parentElement)) faults.push("in Latin letters: " + data.trim());
  }
  for (const element of document.querySelectorAll("[aria-label], [placeholder], img[alt]")) {
    const text = element.getAttribute("aria-label") ?? element.getAttribute("placeholder") ?? element.alt;
    if (/[a-z]{3}/i.test(text) && !element.closest("[lang]:not(:root)")) faults.push("a label in Latin letters: " + text);
  }
  for (const element of document.querySelectorAll("code, pre, data, input[type=url], input[type=email], .plot, .copyable > code")) {
    if (getComputedStyle(element).direction !== "ltr") faults.push("from right to left: " + element.outerHTML.slice(0, 80));
  }
  return faults;
})()`;
/** Texts that are written in Latin letters in every language, and what `Intl` writes between the last two of a German list. */
const NAMES =
  /https:|client_id|Tidemark|English|Deutsch|Harbour|Alice|CSV|UTC|USDC|DPoP|OpenID|Solana|Chromium|Linux|@example|RFC|TIDE|HRBR|0x|ethereum| und /;

let browser: Browser;
let site: FounderSite;
let visitor: WatchedPage;
let page: Page;
let endPseudoLanguage: () => void;
beforeAll(async () => {
  endPseudoLanguage = speakPseudoLanguage();
  browser = await launchChromium();
  site = await FounderSite.start(undefined, { REVIEWERS: USER });
  const { cleared, settled } = saleStates(BigInt(Math.floor(Date.now() / 1_000)));
  site.gateway.commitments.sales.set(SALE, cleared).set(OTHER_SALE, settled);
  await harbourPortal(site.gateway.auth);
  await site.gateway.auth.as("operator").memberships.inviteFounder({ email: USER });
  await addEntity(site.gateway, { uuid: OWN });
  const waiting = { setupState: "ready_for_review", submittedAtMs: 1_000n, version: 2n } as const;
  await addEntity(site.gateway, { uuid: REVIEWED, ...waiting }, "bob@example.org");
  visitor = await openWatchedPage(browser, {
    baseURL: site.gateway.origin,
    viewport: { width: PHONE, height: 800 },
  });
  page = visitor.page;
  const cookies = { "tidemark-session": site.sessionToken(), "tidemark-language": "de" };
  const url = site.gateway.origin;
  await page.context().addCookies(Object.entries(cookies).map(([name, value]) => ({ name, value, url })));
});
afterAll(async () => {
  await visitor?.close();
  await browser?.close();
  await site?.stop();
  endPseudoLanguage();
});

async function faultsAt(path: string): Promise<unknown> {
  await page.goto(path);
  const faults = (await page.evaluate(FAULTS)) as readonly string[];
  return faults.filter((fault) => !NAMES.test(fault));
}

describe("a language from right to left", () => {
  it.each(["/", `/sales/${SALE}`, `/sales/${SALE}/allocations`, `/sales/${OTHER_SALE}/allocations`, "/sales/verify"])(
    "lays out %s",
    async (path) => {
      expect(await faultsAt(path)).toStrictEqual([]);
    },
  );

  it.each(ACCOUNT_PAGES)("lays out %s", async (path) => {
    expect(await faultsAt(path)).toStrictEqual([]);
  });

  it.each(DASHBOARD_PAGES)("lays out %s", async (path) => {
    expect(await faultsAt(path)).toStrictEqual([]);
  });
});
