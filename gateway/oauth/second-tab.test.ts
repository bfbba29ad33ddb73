import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { RIGHT_CODE } from "../testing/fake-accounts.ts";
import { CLIENT_ID } from "../testing/fake-auth.ts";
import { type FakeAuthGateway, startFakeAuthGateway } from "../testing/fake-auth-gateway.ts";
import { PageBrowser, type ShownPage } from "../testing/page-browser.ts";

const AUTHORIZE = `/oauth/authorize?client_id=${CLIENT_ID}&code_challenge=c&state=s`;

let gateway: FakeAuthGateway;
let browser: PageBrowser;
beforeEach(async () => {
  gateway = await startFakeAuthGateway();
  browser = new PageBrowser(gateway.origin);
});
afterEach(() => gateway.stop());

const enterEmail = (page: ShownPage) =>
  browser.send(page, { action: "/sign-in", fields: { email: "alice@example.org" } });
const enterCode = (page: ShownPage, code: string) => browser.send(page, { action: "/sign-in/code", fields: { code } });

/** Its authorization is answered as soon as the auth service is asked for it: the answer comes once. */
describe("a tab whose user has signed in in another one, and let the application in before", () => {
  it.each([
    ["enters an address", (tab: ShownPage) => enterEmail(tab)],
    ["opens the code's page", () => browser.open("/sign-in/code?sign_in=sign-in-1&authorization=authorization-2")],
  ])("leads to the application where the user %s", async (_, goOn) => {
    const [first, second] = [await browser.open(AUTHORIZE), await browser.open(AUTHORIZE)];
    await enterCode(await enterEmail(first), RIGHT_CODE);
    gateway.fake.remembersConsent = true;
    expect((await goOn(second)).leftTo).toBe("https://app.example/callback?code=the-code");
  });

  it("leads there after a wrong code, too", async () => {
    const [first, second] = [await browser.open(AUTHORIZE), await enterEmail(await browser.open(AUTHORIZE))];
    await enterCode(await enterEmail(first), RIGHT_CODE);
    gateway.fake.remembersConsent = true;
    expect((await enterCode(second, "WRONG")).leftTo).toBe("https://app.example/callback?code=the-code");
  });
});
