import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { invalidArgument } from "../../../common/platform/errors/service-error.ts";
import { toConnectError } from "../../../common/platform/rpc/errors.ts";
import { SaleService, type UpdateSaleRequest } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { SALE } from "../../testing/fake-commitments.ts";
import { FounderSite, harbourAuction } from "../../testing/founder-site.ts";
import { hiddenFieldsOf, type PageBrowser } from "../../testing/page-browser.ts";
import { SQUARE_LOGO, WIDE_LOGO } from "../../testing/sample-logos.ts";
import { salePaths } from "../base/dashboard-paths.ts";

const { presentation: action, logo, sale: salePath } = salePaths(SALE);
const HOSTILE = `"><script>alert(1)</script>`;
const STORED = {
  description: "First line,\nsecond line.",
  website: "https://founder.example/",
  offeredTokenSymbol: "TIDE",
  opensAtSeconds: 1_800_000_000n,
  closesAtSeconds: 1_800_000_061n,
  totalSupply: (10n ** 25n).toString(),
};

let site: FounderSite;
let browser: PageBrowser;
beforeEach(async () => {
  site = await FounderSite.start();
  browser = site.browser();
});
afterEach(() => site.stop());

const store = () => site.redefine(harbourAuction({ presentation: STORED }));
const updates = () => site.gateway.sales.faults.asked("UpdateSale") as readonly UpdateSaleRequest[];
const stored = async () => (await site.sale()).definition;

async function save(fields: Readonly<Record<string, string>>) {
  return browser.send(await browser.open(action), { action, fields });
}

describe("what people read about a sale", () => {
  it("is shown on the sale's page, and in the form as it is stored", async () => {
    expect((await browser.open(salePath)).html).toContain("Nothing yet but its name and figures.");
    await store();
    const seen = (await browser.open(salePath)).html;
    const texts = ["2027-01-15 08:00 UTC", "https://founder.example/", "TIDE", "10,000,000 tokens"];
    for (const text of texts) expect(seen).toContain(text);
    const { html } = await browser.open(action);
    expect(html).toContain("\nFirst line,\nsecond line.</textarea>");
    expect(html).toContain('name="opens" value="2027-01-15T08:00"');
    expect(html).toContain('name="closes" value="2027-01-15T08:01:01"');
    expect(html).toContain('name="supply" value="10,000,000"');
  });

  it("is saved with all other settings as they are, by the version that the form was made from", async () => {
    const before = await stored();
    const fields = {
      description: " New\r\ntext ",
      website: "https://a.example",
      symbol: "A",
      opens: "2027-01-15 08:00",
      closes: "",
      supply: "1,000.5",
    };
    expect((await save(fields)).html).toContain("It is saved.");
    expect(updates()).toMatchObject([{ saleUuid: SALE, expectedDefinitionVersion: 1n }]);
    const after = await stored();
    expect(after?.presentation).toMatchObject({
      description: "New\ntext",
      website: "https://a.example/",
      offeredTokenSymbol: "A",
      opensAtSeconds: 1_800_000_000n,
      totalSupply: (10005n * 10n ** 17n).toString(),
    });
    expect(after?.presentation?.closesAtSeconds).toBeUndefined();
    expect({ ...after, presentation: undefined }).toEqual({ ...before, presentation: undefined });
  });

  it("names only what the posted form has, and keeps what it doesn't know, of an older page or a later version", async () => {
    const later = { no: 99, wireType: 2, data: new Uint8Array([1, 65]) };
    await store();
    site.gateway.sales.faults.edit(SaleService.method.getSale, ({ sale }) => {
      const presentation = sale?.definition?.presentation;
      if (presentation !== undefined) presentation.$unknown = [later];
    });
    expect((await save({ website: "https://b.example" })).html).toContain("It is saved.");
    const [update] = updates();
    expect(update?.updateMask?.paths).toEqual(["presentation.website"]);
    expect(update?.definition?.presentation).toMatchObject({ ...STORED, website: "https://b.example" });
    expect(update?.definition?.presentation?.$unknown).toEqual([later]);
  });

  it("takes the longest description, whatever its letters", async () => {
    expect((await save({ description: "🌊".repeat(2_000) })).html).toContain("It is saved.");
  });

  it("says what is wrong beside the field, and keeps what was entered", async () => {
    const page = await save({ description: HOSTILE, opens: "tomorrow", closes: "2027-02-30 08:00" });
    expect(page.status).toBe(422);
    for (const name of ["opens", "closes"]) {
      expect(page.html).toContain(`id="${name}-error">Write a date and time in UTC such as 2027-01-31 12:00</p>`);
    }
    expect(page.html).toContain("&lt;script&gt;");
    expect(page.html).not.toContain("<script>alert");
    expect(updates()).toEqual([]);
    expect((await save({ opens: "1970-01-01 00:00" })).html).toContain("Choose a time after 1970");
    expect((await save({ supply: "0.0000000000000000001" })).html).toContain("The token has 18 decimals");
    expect((await save({ supply: "0" })).html).toContain('id="supply-error">It must be more than 0</p>');
  });

  it("shows the service's refusals at their fields, and another change meanwhile as such", async () => {
    const times = ["opens_at_seconds", "closes_at_seconds"];
    const fields = ["description", "website", "contact", "offered_token_symbol", ...times, "total_supply"];
    const violations = fields.map((field) => ({
      field: `definition.presentation.${field}`,
      rule: "rule",
      message: "is refused",
    }));
    const { failures } = site.gateway.sales.faults;
    failures.set(
      "UpdateSale",
      toConnectError(invalidArgument(violations), () => undefined),
    );
    const { html } = await save({ symbol: HOSTILE });
    for (const id of ["description", "website", "contact", "symbol", "opens", "closes", "supply"]) {
      expect(html).toContain(`id="${id}-error">Is refused</p>`);
    }
    expect(html).toContain("Symbol of your token: is refused");
    failures.clear();
    const form = await browser.open(action);
    await store();
    const conflict = await browser.send(form, { action, fields: { description: "Mine" } });
    expect(conflict.html).toContain("Somebody else has changed the sale in the meantime.");
    expect(conflict.html).toContain("Mine</textarea>");
    expect((await stored())?.presentation).toMatchObject(STORED);
  });

  it("has a logo, which is uploaded, shown and removed on the same page", async () => {
    const upload = async (fields: Readonly<Record<string, string>>, image?: Uint8Array<ArrayBuffer>) => {
      const body = new FormData();
      for (const [name, value] of hiddenFieldsOf((await browser.open(action)).html, logo)) body.set(name, value);
      for (const [name, value] of Object.entries(fields)) body.set(name, value);
      if (image !== undefined) body.set("logo", new Blob([image], { type: "image/png" }), "logo.png");
      return browser.post(logo, body);
    };
    expect((await upload({})).html).toContain("Logo: Choose a file");
    await store();
    expect((await upload({}, SQUARE_LOGO.image)).html).toContain("The logo is saved.");
    expect((await upload({}, WIDE_LOGO.image)).html).toContain("Logo: must be as wide as high");
    const { html } = await browser.open(action);
    expect(html).toContain(`src="/logos/${SQUARE_LOGO.hash}"`);
    expect((await stored())?.presentation).toMatchObject({ ...STORED, logo: SQUARE_LOGO.hash });
    expect((await upload({ do: "remove" })).html).toContain("The logo is saved.");
    expect((await browser.open(action)).html).not.toContain("Remove the logo");
    expect((await stored())?.presentation).toMatchObject({ ...STORED, logo: "" });
    const large = await upload({}, new Uint8Array(300_000));
    expect([large.status, large.html]).toEqual([413, expect.stringContaining("A logo may have 200 KB at most.")]);
  });

  it("can't be changed for a withdrawn sale, or by a form of another page", async () => {
    const form = await browser.open(action);
    const forged = await browser.send(form, { action, headers: { "sec-fetch-site": "cross-site" } });
    expect(forged.status).toBe(403);
    await site.open();
    await site.withdraw();
    for (const page of [await browser.open(action), await browser.send(form, { action })]) {
      expect([page.status, page.html]).toEqual([409, expect.stringContaining("The sale is withdrawn")]);
    }
    expect(updates()).toEqual([]);
  });
});
