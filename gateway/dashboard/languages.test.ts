import { afterAll, beforeAll, expect, it } from "vitest";
import { USER } from "../../test/support/processes/auth-in-process.ts";
import { CLIENT_ID, harbourPortal } from "../testing/auth-gateway.ts";
import { SALE } from "../testing/fake-commitments.ts";
import { formEntries } from "../testing/form-entries.ts";
import { FounderSite } from "../testing/founder-site.ts";
import { addEntity } from "../testing/own-entities.ts";
import type { PageBrowser } from "../testing/page-browser.ts";
import {
  activateNewKey,
  addMembers,
  boundedGroup,
  denyWallets,
  GROUP,
  setRules,
  storePermits,
  TAKING_PART,
} from "../testing/taking-part.ts";
import { englishOn } from "../testing/text-leaves.ts";
import { DASHBOARD_PATH, GUIDE_PATH } from "../web/sessions/auth-paths.ts";
import { DE } from "../web/texts/de.ts";
import { EN } from "../web/texts/en.ts";
import { applicationPaths, NEW_SALE_PATH, REVIEWS_PATH, reviewPath, salePaths } from "./base/dashboard-paths.ts";

const REVIEWED = "12121212-1212-4212-8212-121212121212";
const paths = salePaths(SALE);

let site: FounderSite;
let browser: PageBrowser;
beforeAll(async () => {
  site = await FounderSite.start(undefined, { REVIEWERS: USER });
  await addEntity(
    site.gateway,
    { uuid: REVIEWED, setupState: "ready_for_review", submittedAtMs: 1_000n, version: 2n },
    "bob@example.org",
  );
  await harbourPortal(site.gateway.auth);
  await site.gateway.auth.as("operator").memberships.inviteFounder({ email: USER });
  await fillTakingPart();
  browser = site.browser();
  browser.cookies.set("tidemark-language", "de");
});
afterAll(() => site.stop());

const PAGES: readonly (readonly [path: string, title: string])[] = [
  [DASHBOARD_PATH, DE.frame.mySales],
  [paths.sale, "Harbour Token"],
  [paths.open, DE.dashboard.opening.title],
  [paths.developers, DE.dashboard.menu.developers],
  [paths.applications, DE.dashboard.menu.applications],
  [paths.members, DE.dashboard.members.title],
  [paths.webhooks, DE.dashboard.webhooks.title],
  [paths.presentation, DE.dashboard.presentation.title],
  [paths.log, DE.dashboard.log.title],
  [paths.remove, DE.dashboard.removal.deleteTitle],
  [paths.contract, DE.dashboard.opening.contractTitle],
  [paths.newApplication, DE.dashboard.application.newTitle],
  [paths.settle, DE.dashboard.opening.settleTitle],
  [paths.downloads, DE.dashboard.downloads.title],
  [TAKING_PART.overview, DE.dashboard.takingPart.title],
  [TAKING_PART.rules, DE.dashboard.rules.title],
  [TAKING_PART.groupMembers, DE.dashboard.groupMembers.title],
  [TAKING_PART.denyList, DE.dashboard.denyList.title],
  [TAKING_PART.freezes, DE.dashboard.freezes.title],
  [TAKING_PART.signer, DE.dashboard.signer.title],
  [TAKING_PART.permits, DE.dashboard.permits.title],
  [REVIEWS_PATH, DE.dashboard.reviews.title],
  [reviewPath(REVIEWED), "Prüfung von Alice Harbour"],
  [GUIDE_PATH, DE.dashboard.guide.founders],
  [`${GUIDE_PATH}/sales`, DE.dashboard.guide.sales],
  [paths.days, DE.dashboard.days.title],
  [paths.settings, DE.dashboard.definition.settingsTitle],
  [NEW_SALE_PATH, DE.dashboard.newSale.title],
];

it.each(PAGES)("the page at %s is in German", async (path, title) => {
  const { status, headers, html } = await browser.open(path);
  expect([status, headers.get("content-language")]).toStrictEqual([200, "de"]);
  expect(html).toContain('<html lang="de">');
  expect(html).toContain(`<title>${title} · Tidemark</title>`);
  expect(html).toContain(`href="${path}?set_language=en"`);
  expect(englishOn(withoutGuide(html), EN, DE)).toStrictEqual([]);
});

/** The guide itself is in English, and says so. */
function withoutGuide(html: string): string {
  return html.replace(/<article class="panel guide" lang="en" dir="ltr">[\s\S]*<\/article>/, "");
}

it("the pages of an application are in German", async () => {
  const { application, security } = applicationPaths(SALE, CLIENT_ID);
  for (const path of [application, security]) {
    const { status, html } = await browser.open(path);
    expect([status, englishOn(html, EN, DE)]).toStrictEqual([200, []]);
    expect(html).toContain('<html lang="de">');
  }
});

it("the preview of a draft is in German", async () => {
  const { status, headers, html } = await browser.open(paths.preview);
  expect([status, headers.get("content-language")]).toStrictEqual([200, "de"]);
  expect(html).toContain('<html lang="de">');
  expect(html).toContain("<title>Vorschau: Harbour Token · Tidemark</title>");
  expect(englishOn(html, EN, DE)).toStrictEqual([]);
});

/** Gives the sale rules, members, a list, permits and a key, so that its pages say more than that there are none. */
async function fillTakingPart(): Promise<void> {
  const { gateway } = site;
  await setRules(gateway, { enabled: true, groups: [boundedGroup()], countries: ["DE"] });
  await addMembers(gateway, [
    { groupUuid: GROUP, key: { case: "email", value: "bob@example.org" }, minAmount: "1250000" },
  ]);
  await denyWallets(gateway, [`0x${"b2".repeat(20)}`]);
  await activateNewKey(gateway);
  await storePermits(gateway, [{}]);
}

it("rules are in German, with its numbers and its names of countries", async () => {
  const { html: overview } = await browser.open(TAKING_PART.overview);
  expect(overview).toContain("alle außer: Deutschland");
  expect(overview).toContain("100 USDC bis 5.000 USDC; 0,1 USDC je Token bis 0,5 USDC je Token");
  const { html: members } = await browser.open(TAKING_PART.groupMembers);
  expect(members).toContain("mindestens 1,25 USDC");
  const { html: rules } = await browser.open(TAKING_PART.rules);
  const entries = { ...formEntries(rules, TAKING_PART.rules), do: "save" };
  expect(entries).toMatchObject({ countries: "Deutschland", group_max_amount_0: "5\u202f000" });
  const refused = await browser.post(TAKING_PART.rules, { ...entries, group_max_amount_0: "5.000", max_wallets: "0" });
  expect(refused.html).toContain("Höchstbetrag („Early supporters“): Geben Sie 5000 oder 5.0000 ein");
  expect(refused.html).toContain("Wallets je Teilnehmer: Geben Sie eine ganze Zahl von 1 bis 255 ein");
  expect(englishOn(refused.html, EN, DE)).toStrictEqual([]);
  expect((await browser.post(TAKING_PART.rules, entries)).html).toContain(DE.dashboard.takingPart.rulesSaved);
});

it("settings are in German, and read and write numbers as the language does", async () => {
  const { html } = await browser.open(paths.settings);
  const entries = { ...formEntries(html, paths.settings), do: "review" };
  expect(entries).toMatchObject({ tick: "0,01" });
  const untouched = await browser.post(paths.settings, entries);
  expect(untouched.html).toContain(`<title>${DE.dashboard.definition.reviewTitle} · Tidemark</title>`);
  const refused = await browser.post(paths.settings, { ...entries, floor: "5.000", offered_decimals: "x" });
  expect(refused.html).toContain("Mindestpreis: Geben Sie 5000 oder 5.0000 ein, je nachdem, was gemeint ist");
  expect(refused.html).toContain("Nachkommastellen Ihres Tokens: Geben Sie Nachkommastellen von 0 bis 36 ein");
  expect(englishOn(refused.html, EN, DE)).toStrictEqual([]);
  const review = await browser.post(paths.settings, { ...entries, floor: "0,25", amount: "2.000.000,5" });
  expect(review.html).toContain(`<title>${DE.dashboard.definition.reviewTitle} · Tidemark</title>`);
  expect(review.html).toContain("0,25 Dollar je Token");
  expect(review.html).toContain("25 Preisschritte zu 0,01 Dollar");
  expect(review.html).toContain("2.000.000,5 Token");
  expect(englishOn(review.html, EN, DE)).toStrictEqual([]);
  const again = await browser.post(paths.settings, { ...formEntries(review.html, paths.settings), do: "change" });
  expect(formEntries(again.html, paths.settings)).toMatchObject({ floor: "0,25", amount: "2.000.000,5" });
});

it("a check of a list is in German, and says of a reader's sentence that it is in English", async () => {
  const { file: _, ...shown } = formEntries(
    (await browser.open(TAKING_PART.denyList)).html,
    TAKING_PART.changeDenyList,
  );
  const data = new FormData();
  const list = `wallet\n0x${"c3".repeat(20)}\nx,y\n`;
  for (const [name, value] of Object.entries({ ...shown, list, do: "check" })) data.append(name, value);
  const { html } = await browser.post(TAKING_PART.changeDenyList, data);
  expect(html).toContain("Eine Zeile würde hinzugefügt.");
  expect(html).toMatch(/<td><span lang="en" dir="ltr">[^<]+<\/span><\/td>/);
  expect(englishOn(html, EN, DE)).toStrictEqual([]);
});

it("an error is in German, and says of a service's sentence that it is in English", async () => {
  const { html } = await browser.open(paths.members);
  const [, token = ""] = /novalidate><input type="hidden" name="form_token" value="([^"]+)"/.exec(html) ?? [];
  const invite = (email: string) => browser.post(paths.members, { form_token: token, email, role: "viewer" });
  const refused = await invite("nobody");
  expect(refused.html).toContain(`<h2>${DE.dashboard.base.problems.one}</h2>`);
  expect(refused.html).toContain(DE.signIn.emailError);
  const byService = await invite("a@b..c");
  expect(byService.html).toMatch(/<a href="#email">E‑Mail-Adresse: <span lang="en" dir="ltr">[^<]+<\/span><\/a>/u);
});

it.each(["/dashboard/none", "/account/none"])(
  "a path without a page, such as %s, has the switch of languages",
  async (path) => {
    const { status, html } = await browser.open(path);
    expect([status, englishOn(html, EN, DE)]).toStrictEqual([404, []]);
    expect(html).toContain(`href="${path}?set_language=en"`);
    const inEnglish = await browser.open(`${path}?set_language=en`);
    expect([inEnglish.status, inEnglish.html]).toEqual([404, expect.stringContaining(EN.error.pathTitle)]);
    expect((await browser.open(`${path}?set_language=de`)).html).toContain(DE.error.pathTitle);
  },
);
