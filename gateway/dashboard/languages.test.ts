import { afterAll, beforeAll, expect, it } from "vitest";
import { SALE } from "../testing/fake-commitments.ts";
import { FounderSite } from "../testing/founder-site.ts";
import type { PageBrowser } from "../testing/page-browser.ts";
import { englishOn } from "../testing/text-leaves.ts";
import { DE } from "../web/texts/de.ts";
import { EN } from "../web/texts/en.ts";
import { salePaths } from "./base/dashboard-paths.ts";

const paths = salePaths(SALE);

let site: FounderSite;
let browser: PageBrowser;
beforeAll(async () => {
  site = await FounderSite.start();
  browser = site.browser();
  browser.cookies.set("tidemark-language", "de");
});
afterAll(() => site.stop());

const PAGES: readonly (readonly [path: string, title: string])[] = [
  [paths.members, DE.dashboard.members.title],
  [paths.webhooks, DE.dashboard.webhooks.title],
];

it.each(PAGES)("the page at %s is in German", async (path, title) => {
  const { status, headers, html } = await browser.open(path);
  expect([status, headers.get("content-language")]).toStrictEqual([200, "de"]);
  expect(html).toContain('<html lang="de">');
  expect(html).toContain(`<title>${title} · Tidemark</title>`);
  expect(html).toContain(`href="${path}?set_language=en"`);
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

it("a page that doesn't exist is in German", async () => {
  const { status, html } = await browser.open(salePaths("99999999-9999-4999-8999-999999999999").members);
  expect([status, englishOn(html, EN, DE)]).toStrictEqual([404, []]);
  expect(html).toContain(DE.dashboard.base.missingText);
});

it("a page that exists in English only is whole in English, and has no switch", async () => {
  const { html, headers } = await browser.open(paths.log);
  expect(headers.get("content-language")).toBe("en");
  expect(html).toContain('<html lang="en">');
  expect(html).toContain(EN.frame.mySales);
  expect(html).not.toContain("set_language");
});
