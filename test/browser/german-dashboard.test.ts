import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  applicationPaths,
  NEW_SALE_PATH,
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
  await site.gateway.auth.as("operator").memberships.inviteFounder({ email: USER });
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

  it("a founder begins a sale, whose price is read as it is typed and kept as it was", async () => {
    const exact = page.locator("#exact");
    const goOn = () => page.getByRole("button", { name: "Weiter", exact: true }).last().click();
    await page.goto(NEW_SALE_PATH);
    await expectGerman("Neuer Verkauf");
    await goOn();
    await page.getByText("Schritt 2 von 4").waitFor();
    await page.getByLabel("Adresse des Tokens").fill(`0x${"a1".repeat(20)}`);
    await page.getByLabel("Nachkommastellen Ihres Tokens").fill("18");
    await page.getByLabel("Preis eines Tokens").fill("5.000");
    await exact.getByText("Preis eines Tokens: Geben Sie 5000 oder 5.0000 ein").waitFor();
    await page.getByLabel("Preis eines Tokens").fill("0,25");
    await exact.getByText("0,25 Dollar je Token").first().waitFor();
    await expectGerman("Neuer Verkauf");
    await goOn();
    await page.getByText("Schritt 3 von 4").waitFor();
    await page.getByLabel("Name des Verkaufs").fill("Zwei Häfen");
    await page.locator(".monogram").getByText("ZH", { exact: true }).waitFor();
    await expectGerman("Neuer Verkauf");
    await page.getByRole("button", { name: "Zurück" }).click();
    await page.getByText("Schritt 2 von 4").waitFor();
    expect(await page.getByLabel("Preis eines Tokens").inputValue()).toBe("0,25");
    await page.getByRole("link", { name: "English" }).click();
    await page.getByText("Step 2 of 4").waitFor();
    expect(await page.getByLabel("Price of one token").inputValue()).toBe("0.25");
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
    [SALE_PATHS.settings, "Einstellungen"],
    [SALE_PATHS.webhooks, "Webhooks"],
    [SALE_PATHS.downloads, DE.dashboard.downloads.title],
    [TAKING_PART.overview, DE.dashboard.takingPart.title],
    [GUIDE_PATH, "For founders"],
  ])("%s has its heading", async (path, heading) => {
    await page.goto(path);
    await expectGerman(heading);
  });
});
