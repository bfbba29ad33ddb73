import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { ClearingRule, ContractFamily } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { EntityType } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { CountryRule, PermitPayload } from "../../../proto/gen/tidemark/entities/v1/participation_rules_pb.ts";
import { SALE } from "../../testing/fake-commitments.ts";
import { formEntries } from "../../testing/form-entries.ts";
import { FounderSite, harbourAuction } from "../../testing/founder-site.ts";
import type { PageBrowser, ShownPage } from "../../testing/page-browser.ts";
import { boundedGroup, GROUP, OTHER_GROUP, setRules, storedRules, TAKING_PART } from "../../testing/taking-part.ts";

const { rules: RULES } = TAKING_PART;
const CONTRACT = `0x${"cc".repeat(20)}`;
/** The last second of the year 9999. */
const LATEST = 253_402_300_799n;

let site: FounderSite;
let browser: PageBrowser;
beforeEach(async () => {
  site = await FounderSite.start();
  browser = site.browser();
});
afterEach(() => site.stop());

const stored = () => storedRules(site.gateway);

/** Sends the form of the rules as a page shows it, with other entries. */
function send(page: ShownPage, step: string, formValues: Readonly<Record<string, string>> = {}) {
  return browser.post(RULES, { ...formEntries(page.html, RULES), ...formValues, do: step });
}

describe("the rules", () => {
  it("are set with groups, times in UTC, amounts in tokens and prices in money", async () => {
    const empty = await browser.open(RULES);
    const one = await send(empty, "add-group");
    expect(one.html).toContain("Group 1");
    const saved = await send(one, "save", {
      enabled: "yes",
      country_rule: "only_listed",
      countries: "Germany, fr\nUS",
      organizations: "",
      group_name_0: "Early supporters",
      group_opens_0: "2026-12-01T00:00",
      group_closes_0: "2026-12-31 00:00",
      group_min_amount_0: "100",
      group_max_amount_0: "5,000.50",
      group_min_price_0: "$0.10",
      group_max_price_0: "1/2",
      group_priority_0: "10",
      max_wallets: "3",
    });
    expect(saved.path).toBe(`${TAKING_PART.overview}?done=rules`);
    expect(saved.html).toContain("The rules are saved.");
    expect((await stored()).rules).toMatchObject({
      enabled: true,
      countryRule: CountryRule.ONLY_LISTED,
      countries: ["DE", "FR", "US"],
      entityTypes: [EntityType.PERSON],
      defaultGroupUuid: "",
      wallets: { maxWalletsPerEntity: 3, denyList: true },
      groups: [
        {
          name: "Early supporters",
          opensAt: 1_796_083_200n,
          closesAt: 1_798_675_200n,
          minAmount: "100000000",
          maxAmount: "5000500000",
          minPriceTicks: 10n,
          maxPriceTicks: 50n,
          priority: 10,
        },
      ],
    });
  });

  it("are for everybody only where their owner ticks that", async () => {
    const shown = async () =>
      (await site.gateway.entities.as("gateway").eligibility.getPublicRules({ saleUuid: SALE })).rules;
    await send(await browser.open(RULES), "save");
    expect(await shown()).toBeUndefined();
    const saved = await send(await browser.open(RULES), "save", { on_sale_page: "yes" });
    expect(saved.html).toContain("<dt>On the sale’s page</dt><dd>shown</dd>");
    expect(await shown()).toMatchObject({ maxWalletsPerEntity: 1 });
    expect((await browser.open(RULES)).html).toMatch(/name="on_sale_page"[^>]* checked/);
  });

  it("stay for everybody where a form of an older page, which doesn't ask, is saved", async () => {
    await setRules(site.gateway, { onSalePage: true, groups: [boundedGroup()] });
    const { on_sale_page, asks_on_sale_page, ...older } = formEntries((await browser.open(RULES)).html, RULES);
    expect([on_sale_page, asks_on_sale_page]).toEqual(["yes", "yes"]);
    const grown = await browser.post(RULES, { ...older, do: "add-group" });
    expect(grown.html).toMatch(/name="on_sale_page"[^>]* checked/);
    await browser.post(RULES, { ...older, do: "save" });
    expect(await stored()).toMatchObject({ version: 2n, rules: { onSalePage: true } });
    await send(await browser.open(RULES), "save", { on_sale_page: "" });
    expect((await stored()).rules.onSalePage).toBe(false);
  });

  it("are the same after the form was saved as it was shown", async () => {
    await setRules(site.gateway, {
      groups: [boundedGroup(), boundedGroup({ uuid: OTHER_GROUP, name: "Public", closesAt: LATEST, minAmount: "1" })],
      defaultGroupUuid: OTHER_GROUP,
      countries: ["GB", "KP"],
    });
    const before = await stored();
    await send(await browser.open(RULES), "save");
    expect(await stored()).toEqual({ rules: before.rules, version: before.version + 1n });
  });

  it("lose a removed group, and with it what everybody else is", async () => {
    const groups = [boundedGroup(), boundedGroup({ uuid: OTHER_GROUP, name: "Public" })];
    await setRules(site.gateway, { groups, defaultGroupUuid: GROUP });
    const without = await send(await browser.open(RULES), "remove-0");
    expect(without.html).not.toContain("Early supporters");
    await send(without, "save");
    expect((await stored()).rules).toMatchObject({ groups: [{ uuid: OTHER_GROUP }], defaultGroupUuid: "" });
  });

  it("show each wrong entry at its field, and keep it", async () => {
    const page = await send(await browser.open(RULES), "add-group");
    const { status, html } = await send(page, "save", {
      countries: "Atlantis",
      persons: "",
      organizations: "",
      group_name_0: " ",
      group_opens_0: "tomorrow",
      group_min_amount_0: "0.0000001",
      group_max_price_0: "0.105",
      group_priority_0: "1001",
      max_wallets: "256",
    });
    expect(status).toBe(422);
    const links = [...html.matchAll(/<a href="#(\w+)">([^<]+)</g)].map(([, field, text]) => [field, text]);
    expect(links).toEqual([
      ["persons", "Who may take part: Choose people, organizations or both"],
      ["countries", "These countries: Not a country: Atlantis"],
      ["group_name_0", "Name of group 1: Enter a name"],
      ["group_opens_0", "Opens of group 1: Write a date and time in UTC such as 2027-01-31 12:00"],
      ["group_min_amount_0", "Least amount of group 1: The payment token has 6 decimals: use at most that many"],
      ["group_max_price_0", "Highest price of group 1: 0.105 is no whole number of price ticks of 0.01"],
      ["group_priority_0", "Priority of group 1: Enter a whole number from 0 to 1000"],
      ["max_wallets", "Wallets of one entity: Enter a whole number from 1 to 255"],
    ]);
    for (const [field = ""] of links) expect(html).toContain(`id="${field}-error"`);
    expect(html).toContain('value="tomorrow"');
  });

  it("show what the service refuses at the fields that it names", async () => {
    await setRules(site.gateway, { groups: [boundedGroup()] });
    const { html } = await send(await browser.open(RULES), "save", {
      group_closes_0: "2026-12-01 00:00",
      screener_url: "http://screener.example/",
    });
    expect(html).toContain('<a href="#group_closes_0">Closes of “Early supporters”: must be after the opening</a>');
    expect(html).toContain('id="screener_url-error">Must begin with https:');
  });

  it("of an auction with a hook ask for nothing that its permits can't say", async () => {
    const source = {
      case: "evm",
      value: { chain: "ethereum", contract: CONTRACT, family: ContractFamily.CCA },
    } as const;
    const priceTick = { numerator: "1", denominator: String(2n ** 96n) };
    const value = { offeredAmount: "1000", floorTicks: String(2n ** 96n), incrementTicks: "1" };
    const clearingRule = ClearingRule.LOWEST_NOT_OUTBID;
    const pricing = { case: "auction", value: { ...value, clearingRule } } as const;
    await site.redefine(harbourAuction({ source, priceTick, pricing, widePrices: true }));
    const page = await send(await browser.open(RULES), "add-group");
    for (const absent of ["group_min_price_0", "forced_lockup", "group_lockup_0"]) {
      expect(page.html).not.toMatch(new RegExp(`name="${absent}"(?! value="")`));
    }
    expect(page.html).not.toContain("Settings in a permit");
    const saved = await send(page, "save", { enabled: "yes", group_name_0: "Everybody", max_wallets: "3" });
    expect(saved.path).toBe(`${TAKING_PART.overview}?done=rules`);
    expect(saved.html).not.toContain("more price ticks than a permit can hold");
    expect((await stored()).rules).toMatchObject({ enabled: true, payload: PermitPayload.NONE });
  });

  it("show what the sale's contract can't take", async () => {
    await setRules(site.gateway, { groups: [boundedGroup()] });
    const { contract } = site.gateway.entities;
    contract.maxWalletsPerEntity = 2;
    onTestFinished(() => void delete contract.maxWalletsPerEntity);
    const { status, html } = await send(await browser.open(RULES), "save", {
      enabled: "yes",
      max_wallets: "3",
      payload: "none",
    });
    expect(status).toBe(422);
    expect(html).toContain('<a href="#max_wallets">Wallets of one entity: must be at most 2: the contract of the sale');
    expect(html).toContain("Settings in a permit: must be the settings of a settlement sale");
  });

  it("that somebody else changed meanwhile are shown beside the entries, which the next save keeps", async () => {
    const page = await browser.open(RULES);
    await setRules(site.gateway, { enabled: true, countries: ["FR"], groups: [boundedGroup()] });
    const conflict = await send(page, "save", { countries: "Germany" });
    expect(conflict.status).toBe(422);
    expect(conflict.html).toContain("Somebody else has saved other rules in the meantime.");
    expect(conflict.html).toContain(
      "<strong>Countries</strong><br>Stored: all but France<br>Entered here: all but Germany",
    );
    expect(conflict.html).toContain("<strong>Taking part</strong><br>Stored: on<br>Entered here: off");
    await send(conflict, "save");
    expect(await stored()).toMatchObject({ version: 2n, rules: { enabled: false, countries: ["DE"] } });
  });

  it("ask for a sign-in before anything is entered", async () => {
    expect((await site.browser("long ago").open(RULES)).path).toMatch(/^\/sign-in\?next=.*rules&again=1$/);
  });

  it("keep the entries of a form that took longer than a sign-in counts, through a sign-in in another tab", async () => {
    const page = await browser.open(RULES);
    browser.cookies.set("tidemark-session", site.sessionToken("long ago"));
    const stale = await send(page, "save", { countries: "Germany" });
    expect(stale.html).toContain("You signed in more than ten minutes ago.");
    expect((await stored()).version).toBe(0n);
    browser.cookies.set("tidemark-session", site.sessionToken());
    await send(stale, "save");
    expect((await stored()).rules.countries).toEqual(["DE"]);
  });

  it("are for owners", async () => {
    await site.setRole(Role.EDITOR);
    expect(await browser.open(RULES)).toMatchObject({ status: 403 });
    const overview = await browser.open(TAKING_PART.overview);
    expect(overview.html).not.toContain(`href="${RULES}"`);
  });

  it("are changed by their own page alone", async () => {
    const fields = formEntries((await browser.open(RULES)).html, RULES);
    const forged = { ...fields, form_token: "x".repeat(43), do: "save" };
    expect(await browser.post(RULES, forged)).toMatchObject({ status: 403 });
    const stranger = site.browser();
    stranger.cookies.set("tidemark-browser", "b".repeat(43));
    expect(await stranger.post(RULES, { ...fields, do: "save" })).toMatchObject({ status: 403 });
    expect((await stored()).version).toBe(0n);
  });

  it("take the most groups with the longest entries, and no larger form", async () => {
    const page = await browser.open(RULES);
    const groups = Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [`group_name_${index}`, "ä".repeat(98) + (10 + index)]),
    );
    const fields = { ...formEntries(page.html, RULES), ...groups, groups: "50", do: "save" };
    expect((await browser.post(RULES, fields)).path).toContain("done=rules");
    expect((await stored()).rules.groups).toHaveLength(50);
    expect(await browser.post(RULES, { ...fields, countries: "x".repeat(300_000) })).toMatchObject({ status: 413 });
  });
});
