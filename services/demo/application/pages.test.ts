import { expect, it } from "vitest";
import { visitPage } from "./pages.ts";
import type { Visit } from "./visits.ts";

/** Returns the page of a visit whose sign-in has failed. */
async function failedPage(error: string): Promise<string> {
  const problem = `${error}: refused`;
  const visit: Visit = { callback: [["error", error]], steps: [{ title: "Exchange the code", calls: [], problem }] };
  return String(await visitPage(visit, {} as never));
}

it("says first that a user has declined, and how to go on", async () => {
  const page = await failedPage("access_denied");
  expect(page).toContain("this application knows nothing about you");
  expect(page.indexOf("Start again</button>")).toBeLessThan(page.indexOf("What happened"));
});

it("says first why another sign-in failed", async () => {
  const page = await failedPage("server_error");
  expect(page).toContain('role="alert"><b>Refused.</b> server_error: refused');
  expect(page).not.toContain("knows nothing about you");
});
