import { expect, it } from "vitest";
import { deleteExpiredRows } from "../../../common/platform/db/expired-rows.ts";
import { expiredRows } from "../../../services/auth/expired-rows.ts";
import { describeAuthWeb } from "../../support/pages/auth-web.ts";

const HALF_AN_HOUR_MS = 30 * 60_000;
const DAY_MS = 24 * 3_600_000;
const AUDIT_MS = 400n * BigInt(DAY_MS);

describeAuthWeb("the page of an authorization that has expired", (web) => {
  const expired = async () => {
    const [application, browser] = [await web().application(), web().browser()];
    const signIn = await application.authorize(browser);
    web().service.time.advance(HALF_AN_HOUR_MS);
    return { application, browser, signIn };
  };

  it("names the application and leads back to it with an error", async () => {
    const { application, browser, signIn } = await expired();
    const { status, html } = await browser.open(signIn.path);
    expect([status, html]).toEqual([400, expect.stringContaining("This page is no longer valid")]);
    expect(html).toContain(application.client.definition.name);
    const [, href = ""] = /<a class="button secondary" href="([^"]+)"[^>]*>Back to app\.example</.exec(html) ?? [];
    const back = new URL(href.replaceAll("&amp;", "&"));
    expect(`${back.origin}${back.pathname}`).toBe(application.redirectUri);
    expect(Object.fromEntries(back.searchParams)).toMatchObject({ error: "access_denied", state: "a state" });
  });

  it("is also what comes of an address that is entered too late", async () => {
    const { application, browser, signIn } = await expired();
    const sent = await browser.send(signIn, { action: "/sign-in", fields: { email: "late@example.com" } });
    expect(sent.html).toContain(application.client.definition.name);
    expect(sent.html).toContain("Back to app.example");
  });

  it("leads nowhere in another browser, and after a day", async () => {
    const { browser, signIn } = await expired();
    const other = web().browser();
    await other.open("/sign-in");
    const elsewhere = await other.open(signIn.path);
    expect(elsewhere.html).toContain("This belongs to another browser");
    expect(elsewhere.html).not.toContain("Back to app.example");
    const { time, database } = web().service;
    time.advance(DAY_MS + 1);
    await deleteExpiredRows(database, expiredRows(time.now(), AUDIT_MS), new AbortController().signal);
    const late = await browser.open(signIn.path);
    expect(late.html).toContain("This page is no longer valid");
    expect(late.html).not.toContain("Back to app.example");
  });
});
