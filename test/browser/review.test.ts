import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { harbourPortal } from "../../gateway/testing/auth-gateway.ts";
import { SALE } from "../../gateway/testing/fake-commitments.ts";
import { FounderSite } from "../../gateway/testing/founder-site.ts";
import { sendNotices } from "../../services/entities/notices/send-notices.ts";
import { mailReviewers } from "../../services/entities/setup/mail-reviewers.ts";
import { violationsOf } from "../support/pages/axe.ts";
import { launchChromium } from "../support/pages/browser.ts";
import { openWatchedPage, type WatchedPage } from "../support/pages/watched-page.ts";
import { USER } from "../support/processes/auth-in-process.ts";

const BIDDER = "bob@example.org";
const QUESTION = "Which register is the company in?";
const ANSWER = "Vienna.\nFN 123456 a";
const MAIL_GAP_MS = 900_000;
const running = new AbortController().signal;

let browser: Browser;
let site: FounderSite;
let opened: WatchedPage[];
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());
beforeEach(async () => {
  opened = [];
  site = await FounderSite.start(undefined, { REVIEWERS: USER });
});
afterEach(async () => {
  for (const { close } of opened) await close();
  await site.stop();
});

/** Opens the browser of somebody who has signed in. */
async function arrive(session: string, width: number, colorScheme: "light" | "dark"): Promise<Page> {
  const options = { baseURL: site.gateway.origin, viewport: { width, height: 900 }, colorScheme };
  const watched = await openWatchedPage(browser, options);
  opened.push(watched);
  await haveSession(watched.page, session);
  return watched.page;
}

async function haveSession(page: Page, value: string): Promise<void> {
  await page.context().addCookies([{ name: "tidemark-session", value, url: site.gateway.origin }]);
}

/** Sends the mails that are due, which is one to this person, and opens the page that it leads to. */
async function followMail(page: Page, to: string, subject: string): Promise<void> {
  const { context } = site.gateway.entities;
  const { mails } = site.gateway.auth.people.outbox;
  const before = mails.length;
  await mailReviewers(context);
  await sendNotices(context, running);
  const [mail, ...more] = mails.slice(before);
  expect([mail?.to, mail?.subject, more]).toEqual([to, subject, []]);
  const [link = ""] = /https?:\/\/\S+/.exec(mail?.text ?? "") ?? [];
  await page.goto(new URL(link).pathname);
}

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

/** Checks a page of the way: what it says, and that anybody can use it. */
async function expectPage(page: Page, text: string): Promise<void> {
  await page.getByText(text).first().waitFor();
  expect(await violationsOf(page)).toStrictEqual([]);
  expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
}

it("leads from the application through a question and its answer to the approval, and back to the application", async () => {
  const application = await harbourPortal(site.gateway.auth);
  const session = await site.gateway.auth.signIn({ email: BIDDER });
  await application.tokens(session);
  const bidder = await arrive(session, 360, "light");
  const reviewer = await arrive(site.sessionToken(), 1280, "dark");

  await bidder.goto(`/svc/${SALE}/home`);
  await bidder.getByRole("textbox", { name: "Name" }).fill("Harbour Holdings");
  await bidder.getByLabel("Country").fill("Austria");
  await press(bidder, "Send for review");
  await expectPage(bidder, "It waits for a reviewer. You get a mail with the result.");

  await followMail(reviewer, USER, "Identity checks wait for you");
  await reviewer.getByRole("link", { name: "Harbour Holdings" }).click();
  await reviewer.getByRole("textbox", { name: "Reference" }).fill("K-17");
  await reviewer.getByRole("textbox", { name: "Note" }).fill("Called the register.");
  await press(reviewer, "Add the note");
  await expectPage(reviewer, "The note is added.");
  // What was entered elsewhere stays, and the Enter key, which presses the first button, decides nothing.
  expect(await reviewer.locator("main form button").first().isDisabled()).toBe(true);
  expect(await reviewer.getByRole("textbox", { name: "Reference" }).inputValue()).toBe("K-17");
  await reviewer.getByRole("textbox", { name: "Question" }).fill(QUESTION);
  await press(reviewer, "Ask the user");
  await expectPage(reviewer, "The user is asked by e-mail.");

  await followMail(bidder, BIDDER, "A question about your identity check");
  await expectPage(bidder, QUESTION);
  // Reviewers are mailed every 15 minutes at most.
  site.gateway.auth.time.advance(MAIL_GAP_MS);
  await bidder.getByLabel("Your answer").fill(ANSWER);
  await press(bidder, "Send the answer");
  await expectPage(bidder, "It waits for a reviewer.");

  // They decide within ten minutes of a sign-in.
  await haveSession(reviewer, await site.gateway.auth.signIn({ by: "passkey" }));
  await followMail(reviewer, USER, "Identity checks wait for you");
  await reviewer.getByRole("link", { name: "Harbour Holdings" }).click();
  for (const text of ["Vienna.", QUESTION, "Called the register."]) await expectPage(reviewer, text);
  await reviewer.getByRole("textbox", { name: "Reference" }).fill("K-17");
  await press(reviewer, "Approve");
  await expectPage(reviewer, "The entity is approved.");

  await followMail(bidder, BIDDER, "Your identity check is complete");
  await expectPage(bidder, "It can take part in sales whose rules allow it.");
  const back = bidder.getByRole("link", { name: "Back to Harbour Portal" });
  expect(await back.getAttribute("href")).toBe("https://app.example/");
  expect(opened.flatMap(({ complaints }) => complaints)).toStrictEqual([]);
});
