import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { SaleService } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { CountryRule } from "../../../proto/gen/tidemark/entities/v1/participation_rules_pb.ts";
import { SALE } from "../../testing/fake-commitments.ts";
import { FounderSite, harbourAuction } from "../../testing/founder-site.ts";
import type { PageBrowser } from "../../testing/page-browser.ts";
import { setRules } from "../../testing/taking-part.ts";
import { salePaths } from "../base/dashboard-paths.ts";

const { preview, sale: salePath } = salePaths(SALE);
const HOSTILE = `</title><script>alert(1)</script>`;

let site: FounderSite;
let browser: PageBrowser;
beforeEach(async () => {
  site = await FounderSite.start();
  browser = site.browser();
});
afterEach(() => site.stop());

const get = (headers: Readonly<Record<string, string>> = {}) =>
  fetch(site.gateway.origin + preview, { redirect: "manual", headers });

describe("the preview of a draft", () => {
  it("shows what the public will read, and that it is a preview", async () => {
    const presentation = {
      description: "Sold in harbours.",
      website: "https://sale.example",
      opensAtSeconds: 1_900_000_000n,
    };
    await site.redefine(harbourAuction({ presentation }));
    const { html } = await browser.open(preview);
    for (const shown of ["Harbour Token", "Sold in harbours.", "https://sale.example", "Nobody has committed."]) {
      expect(html).toContain(shown);
    }
    expect(html).toContain("<strong>Preview.</strong> Only members of the sale see this page.");
    expect(html).toContain(`<a href="${salePath}">Back to the draft</a>`);
    expect((await browser.open(salePath)).html).toContain(`href="${preview}"`);
  });

  it("says how the sale decides, and who may take part once its founder shows that", async () => {
    const hidden = (await browser.open(preview)).html;
    expect(hidden).toContain("How this sale decides");
    expect(hidden).not.toContain("Who may take part");
    await setRules(site.gateway, {
      onSalePage: true,
      countryRule: CountryRule.ALL_BUT_LISTED,
      countries: ["US"],
    });
    const { html } = await browser.open(preview);
    expect(html).toContain("<h3>Who may take part</h3>");
    expect(html).toContain("all but United States");
    expect(html).not.toContain(`/sales/${SALE}/rules`);
  });

  it("runs no script, loads files of this host only, and is stored, framed and indexed by nobody", async () => {
    // The service stores no such name.
    site.gateway.sales.faults.edit(SaleService.method.previewSale, ({ sale }) => {
      if (sale !== undefined) sale.name = HOSTILE;
    });
    const answer = await get({ cookie: `tidemark-session=${site.sessionToken()}` });
    const html = await answer.text();
    expect(answer.status).toBe(200);
    expect(html).not.toMatch(/<script|og:|canonical|modulepreload/);
    expect(html).toContain('<meta name="robots" content="noindex, nofollow">');
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("x-robots-tag")).toBe("noindex, nofollow");
    expect(answer.headers.get("x-frame-options")).toBe("DENY");
    expect(answer.headers.get("content-security-policy")).toMatch(
      /default-src 'none'.*frame-ancestors 'none'.*sandbox/,
    );
    for (const [, path = ""] of html.matchAll(/(?:href|src)="(\/sales\/[^"]+)"/g)) {
      expect([path, (await fetch(site.gateway.origin + path)).status]).toEqual([path, 200]);
    }
  });

  it("is for members only, of drafts only", async () => {
    expect([(await get()).status, (await get()).headers.get("location")]).toEqual([
      303,
      `/sign-in?next=${encodeURIComponent(preview)}`,
    ]);
    await site.setRole(Role.VIEWER);
    expect((await browser.open(preview)).status).toBe(200);
    for (const [change, text] of [
      [() => site.open(), "Everybody sees its public page."],
      [() => site.withdraw(), "Nobody finds it in public any more."],
    ] as const) {
      await change();
      const page = await browser.open(preview);
      expect([page.status, page.html]).toEqual([409, expect.stringContaining(text)]);
    }
    const { preview: missing } = salePaths("55555555-5555-4555-8555-555555555555");
    expect((await browser.open(missing)).status).toBe(404);
  });
});
