import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type AuthGateway, authorizePath, CALLBACK, startAuthGateway } from "../testing/auth-gateway.ts";
import { hiddenFieldsOf, PageBrowser, type ShownPage } from "../testing/page-browser.ts";

const AUTHORIZE = authorizePath();
const LED_BACK = expect.stringMatching(new RegExp(`^${CALLBACK}\\?code=[\\w-]{43}&`));

let gateway: AuthGateway;
let browser: PageBrowser;
beforeEach(async () => {
  gateway = await startAuthGateway();
  browser = new PageBrowser(gateway.origin);
  await gateway.application.code(await gateway.auth.signIn());
});
afterEach(() => gateway.stop());

const enterEmail = (page: ShownPage) =>
  browser.send(page, { action: "/sign-in", fields: { email: "alice@example.org" } });
const enterCode = (page: ShownPage, code: string) => browser.send(page, { action: "/sign-in/code", fields: { code } });

/** Its authorization is answered as soon as the auth service is asked for it: the answer comes once. */
describe("a tab whose user has signed in in another one, and let the application in before", () => {
  it.each([
    ["enters an address", (tab: ShownPage) => enterEmail(tab)],
    [
      "opens the code's page",
      (tab: ShownPage, code: ShownPage) => {
        const { sign_in = "" } = Object.fromEntries(hiddenFieldsOf(code.html, "/sign-in/code"));
        const { authorization = "" } = Object.fromEntries(hiddenFieldsOf(tab.html, "/sign-in"));
        return browser.open(`/sign-in/code?${new URLSearchParams({ sign_in, authorization })}`);
      },
    ],
  ])("leads to the application where the user %s", async (_, goOn) => {
    const [first, second] = [await browser.open(AUTHORIZE), await browser.open(AUTHORIZE)];
    const code = await enterEmail(first);
    await enterCode(code, gateway.auth.mailedCode());
    expect((await goOn(second, code)).leftTo).toEqual(LED_BACK);
  });

  it("leads there after a wrong code, too", async () => {
    const [first, second] = [await browser.open(AUTHORIZE), await enterEmail(await browser.open(AUTHORIZE))];
    await enterCode(await enterEmail(first), gateway.auth.mailedCode());
    expect((await enterCode(second, "WRONG")).leftTo).toEqual(LED_BACK);
  });
});
