import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { isFirefox } from "../support/pages/browser.ts";
import { authorizationRequest } from "../support/pages/sign-in-visitor.ts";
import { signInVisits } from "../support/pages/sign-in-visits.ts";

const WRONG = "BBBB-BBBB";

const { site, visitor } = signInVisits();

/** Loads a page again in every way in which people do without meaning to send anything. @returns the page's tab */
async function loadAgain(page: Page): Promise<Page> {
  await page.reload();
  // The Enter key in the address bar.
  await page.goto(page.url());
  // A tab that the browser has discarded is loaded from its address.
  const restored = await page.context().newPage();
  await restored.goto(page.url());
  await page.bringToFront();
  return restored;
}

describe("a form that was refused", () => {
  it.for(isFirefox ? [true] : [true, false])(
    "is there again after a reload, Enter in the address bar and a discarded tab, which cost no try; the right code signs in; with scripts: %s",
    async (javaScriptEnabled) => {
      const alice = await visitor({ javaScriptEnabled });
      const { page } = alice;
      await page.goto(authorizationRequest(site()).url);
      await alice.askForCode("alice");
      const problem = (tab: Page) => tab.getByRole("heading", { name: "There is a problem" });
      await problem(page).waitFor();
      const address = (tab: Page) => tab.getByLabel("E-mail address");
      for (const tab of [page, await loadAgain(page), page]) {
        await problem(tab).waitFor();
        expect(await address(tab).inputValue()).toBe("alice");
      }
      await alice.askForCode();
      const code = await alice.mailedCode();
      await alice.enterCode(WRONG);
      await page.getByText("4 tries left").first().waitFor();
      const tabs = [page, await loadAgain(page), await loadAgain(page), page];
      for (const tab of tabs) {
        await tab.getByText("4 tries left").first().waitFor();
        expect(await tab.getByLabel("Code").inputValue()).toBe("");
        expect(tab.url()).not.toContain(WRONG);
      }
      await tabs[1]?.getByLabel("Code").fill(code);
      await alice.press("Sign in", tabs[1]);
      await alice.sees("An application asks for access", tabs[1]);
      // The other tabs of the same sign-in go on with it.
      await page.reload();
      await alice.sees("An application asks for access");
    },
  );

  it("is shown to no other browser that has its address", async () => {
    const [alice, mallory] = [await visitor(), await visitor()];
    await alice.page.goto("/sign-in");
    await alice.askForCode("alice");
    await alice.page.getByRole("heading", { name: "There is a problem" }).waitFor();
    await mallory.page.goto("/sign-in");
    await mallory.page.goto(alice.page.url());
    await mallory.sees("Sign in");
    expect(await mallory.page.getByLabel("E-mail address").inputValue()).toBe("");
    expect(await mallory.page.getByRole("heading", { name: "There is a problem" }).count()).toBe(0);
  });
});
