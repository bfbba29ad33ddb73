import { join } from "node:path";
import type { Page } from "playwright-core";
import { startEmbedded } from "../../test/support/processes/embedded.ts";
import { nextCode } from "../../test/support/processes/mail-folder.ts";
import { temporaryFolder } from "../../test/support/processes/temporary-folder.ts";
import type { State } from "./state.ts";

const APPLICATION = /demo application: (http:\/\/localhost:\d+), which/;

let addresses = 0;

/** Signs somebody new in. */
async function signIn(page: Page, mailFolder: string): Promise<void> {
  const email = `alice${++addresses}@example.org`;
  await page.locator("a.primary").click();
  await page.locator("#email").fill(email);
  await page.locator("#email").press("Enter");
  await page.locator("#code").fill(await nextCode(mailFolder, email));
  await page.locator("#code").press("Enter");
  await page.locator('button[value="allow"]').click();
  await page.locator('form[action="/entities"]').waitFor();
}

function demo(name: string, title: string, reach: (page: Page, mailFolder: string) => Promise<unknown>): State {
  const start = async () => {
    const folder = await temporaryFolder();
    const tidemark = await startEmbedded("node", { DATA_DIR: folder.path });
    const [, origin = ""] = await tidemark.process.waitForLine(APPLICATION);
    const show = async (page: Page) => {
      await page.goto(origin);
      await reach(page, join(folder.path, "mail"));
      return [];
    };
    const stop = async () => {
      await tidemark.stop();
      await folder.remove();
    };
    return { show, stop };
  };
  return { name, title, start };
}

/** The states of the demo's application. */
export const DEMO_STATES: readonly State[] = [
  demo("demo", "The demo’s application.", async () => {}),
  demo("demo-signed-in", "The demo’s application for somebody who has just signed in.", signIn),
];
