import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  applicationPaths,
  REVIEWS_PATH,
  salePaths,
  takingPartPaths,
} from "../../gateway/dashboard/base/dashboard-paths.ts";
import { CLIENT_ID, harbourPortal } from "../../gateway/testing/auth-gateway.ts";
import { SALE } from "../../gateway/testing/fake-commitments.ts";
import { FounderSite } from "../../gateway/testing/founder-site.ts";
import { addEntity } from "../../gateway/testing/own-entities.ts";
import { englishOn } from "../../gateway/testing/text-leaves.ts";
import { DASHBOARD_PATH, GUIDE_PATH } from "../../gateway/web/sessions/auth-paths.ts";
import { DE } from "../../gateway/web/texts/de.ts";
import { EN } from "../../gateway/web/texts/en.ts";
import { violationsOf } from "../support/pages/axe.ts";
import { launchChromium } from "../support/pages/browser.ts";
import { openWatchedPage, type WatchedPage } from "../support/pages/watched-page.ts";
import { USER } from "../support/processes/auth-in-process.ts";

const REVIEWED = "12121212-1212-4212-8212-121212121212";
const SALE_PATHS = salePaths(SALE);
const TAKING_PART = takingPartPaths(SALE);
const { application, security } = applicationPaths(SALE, CLIENT_ID);

let browser: Browser;
let site: FounderSite;
let watched: WatchedPage;
let page: Page;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());
beforeEach(async () => {
  site = await FounderSite.start(undefined, { REVIEWERS: USER });
  await harbourPortal(site.gateway.auth);
  const waiting = { setupState: "ready_for_review", submittedAtMs: 1_000n, version: 2n, country: "AT" } as const;
  await addEntity(site.gateway, { uuid: REVIEWED, ...waiting }, "bob@example.org");
  const baseURL = site.gateway.origin;
  watched = await openWatchedPage(browser, { baseURL, viewport: { width: 360, height: 800 }, locale: "de-AT" });
  page = watched.page;
  await page.context().addCookies([{ name: "tidemark-session", value: site.sessionToken(), url: baseURL }]);
});
afterEach(async () => {
  await watched?.close();
  expect(watched.complaints).toStrictEqual([]);
  await site.stop();
});

/** Checks that the page that is shown is in German, whole within its width, and accessible. */
async function expectGerman(heading: string): Promise<void> {
  await page.getByRole("heading", { level: 1, name: heading }).waitFor();
  const { lang, width } = await page.evaluate<{ lang: string; width: number }>(
    "({ lang: document.documentElement.lang, width: document.documentElement.scrollWidth })",
  );
  expect([lang, width]).toStrictEqual(["de", 360]);
  const html = (await page.content()).replace(/<article class="panel guide"[\s\S]*<\/article>/, "");
  expect(englishOn(html, EN, DE)).toStrictEqual([]);
  expect(await violationsOf(page)).toStrictEqual([]);
}

describe("in German", () => {
  it("a reviewer asks, is told of an entry that is missing, and approves", async () => {
    await page.goto(REVIEWS_PATH);
    await expectGerman("Prüfungen");
    await page.getByRole("link", { name: "Alice Harbour" }).click();
    await expectGerman("Alice Harbour");
    await page.getByRole("button", { name: "Rückfrage senden" }).click();
    await page.getByRole("heading", { name: "Es gibt ein Problem" }).waitFor();
    await page.getByRole("link", { name: "Frage: Geben Sie eine Frage ein: Der Teilnehmer liest sie" }).waitFor();
    await page.getByLabel("Aktenzeichen").fill("K-17");
    expect(await page.getByLabel("Land").inputValue()).toBe("Österreich");
    await page.getByRole("button", { name: "Bestätigen" }).click();
    await page.getByText("Der Teilnehmer ist bestätigt. Er wird per E‑Mail benachrichtigt.").waitFor();
    await expectGerman("Prüfungen");
  });

  it("a founder invites a member, whom the log names", async () => {
    await page.goto(SALE_PATHS.members);
    await expectGerman("Mitglieder");
    await page.getByLabel("E‑Mail-Adresse").fill("a@b..c");
    await page.getByRole("button", { name: "Einladen" }).click();
    expect(await page.locator("#email-error [lang=en]").count()).toBe(1);
    await page.getByLabel("E‑Mail-Adresse").fill("carol@example.org");
    await page.getByRole("button", { name: "Einladen" }).click();
    await page.getByText("Das Mitglied ist gespeichert.").waitFor();
    await page.goto(SALE_PATHS.log);
    await expectGerman("Was getan wurde");
    await page.getByText("carol@example.org ist jetzt Leser").waitFor();
  });

  it.each([
    [DASHBOARD_PATH, DE.frame.mySales],
    [SALE_PATHS.sale, "Harbour Token"],
    [SALE_PATHS.open, DE.dashboard.opening.title],
    [SALE_PATHS.developers, DE.dashboard.menu.developers],
    [SALE_PATHS.applications, DE.dashboard.menu.applications],
    [application, "Harbour Portal"],
    [security, "Sicherheit von Harbour Portal"],
    [SALE_PATHS.presentation, "Über den Verkauf"],
    [SALE_PATHS.webhooks, "Webhooks"],
    [SALE_PATHS.downloads, DE.dashboard.downloads.title],
    [TAKING_PART.overview, DE.dashboard.takingPart.title],
    [GUIDE_PATH, "For founders"],
  ])("%s has its heading", async (path, heading) => {
    await page.goto(path);
    await expectGerman(heading);
  });
});
