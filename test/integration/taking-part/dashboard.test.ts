import { beforeAll, describe, expect, it } from "vitest";
import { REVIEWS_PATH, reviewPath, takingPartPaths } from "../../../gateway/dashboard/base/dashboard-paths.ts";
import { formEntries } from "../../../gateway/testing/form-entries.ts";
import type { PageBrowser, ShownPage } from "../../../gateway/testing/page-browser.ts";
import { EntityType } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { sessionBy } from "../../../services/auth/testing/passkey-holder.ts";
import { describeOneParticipationWeb } from "../../support/applications/taking-part-web.ts";
import type { EntitiesFixture } from "../../support/processes/entities-fixture.ts";
import { type OwnedSale, ownedSale } from "../../support/sales/participation-sales.ts";

const REVIEWER = "reviewer@example.com";
const HTML = `"><img src=x onerror=alert(1)>'`;
const WALLETS = [`0x${"a1".repeat(20)}`, `0x${"b2".repeat(20)}`];
const identity = { provider: "review", reviewers: new Set([REVIEWER]), approvalLifetimeMs: 0n } as const;

type Fields = Readonly<Record<string, string>>;

describeOneParticipationWeb(
  "the pages about taking part, with the real services",
  (web) => {
    let sale: OwnedSale;
    let browser: PageBrowser;
    let paths: ReturnType<typeof takingPartPaths>;
    beforeAll(async () => {
      sale = await ownedSale(web().service, "founder");
      browser = web().browserOf(sale.owner);
      paths = takingPartPaths(sale.saleUuid);
    });

    function sendRules(page: ShownPage, step: string, entries: Fields = {}) {
      return browser.post(paths.rules, { ...formEntries(page.html, paths.rules), ...entries, do: step });
    }

    async function sendList(form: string, page: string, list: string, fields: Fields) {
      const data = new FormData();
      const shown = formEntries((await browser.open(page)).html, form);
      for (const [name, value] of Object.entries({ ...shown, ...fields, list })) {
        if (name !== "file") data.append(name, value);
      }
      return browser.post(form, data);
    }

    async function sendKey(step: string, fields: Fields = {}) {
      const page = await browser.open(paths.signer);
      const token = /name="form_token" value="([^"]+)"/.exec(page.html)?.[1] ?? "";
      return browser.post(paths.signer, { form_token: token, do: step, ...fields });
    }

    it("say what is missing, and set rules with a group", async () => {
      const overview = await browser.open(paths.overview);
      expect(overview.status).toBe(200);
      expect(overview.html).toContain("Add a group: without one nobody may take part");
      const form = await sendRules(await browser.open(paths.rules), "add-group");
      const saved = await sendRules(form, "save", {
        enabled: "yes",
        countries: "North Korea",
        group_name_0: " Early ",
        group_opens_0: "2026-01-01T00:00",
        group_max_amount_0: "5,000",
      });
      expect(saved.html).toContain("The rules are saved.");
      expect(saved.html).toContain("from 2026-01-01 00:00 UTC");
      const { rules, version } = await sale.eligibility.getRules({ saleUuid: sale.saleUuid });
      expect(version).toBe(1n);
      expect(rules).toMatchObject({ enabled: true, countries: ["KP"], groups: [{ name: "Early" }] });
      const again = await sendRules(await browser.open(paths.rules), "save");
      expect(again.path).toContain("done=rules");
    });

    it("show each rule that the service finds broken at a field of the form", async () => {
      const form = await sendRules(await browser.open(paths.rules), "add-group");
      const { status, html } = await sendRules(form, "save", {
        country_rule: "only_listed",
        countries: "",
        screener_url: "http://screener.example/",
        payload: "none",
        group_name_0: "Late",
        group_opens_0: "2026-01-02T00:00",
        group_closes_0: "2026-01-01T00:00",
        group_min_amount_0: "6000",
        group_lockup_0: "yes",
        group_name_1: "Late",
        group_min_price_1: "5,000,000,000",
        group_max_price_1: "4,000,000,000",
      });
      expect(status).toBe(422);
      const fields = [...html.matchAll(/<li><a href="#([\w-]+)">/g)].map(([, field]) => field);
      expect(fields.toSorted()).toEqual([
        "countries",
        "group_closes_0",
        "group_lockup_0",
        "group_max_amount_0",
        "group_max_price_1",
        "group_name_1",
        "screener_url",
      ]);
      const texts = [...html.matchAll(/<li><a href="#[\w-]+">([^<]+)</g)].map(([, text]) => text).join();
      expect(texts).toContain("Closes of “Late”: must be after the opening");
      expect(texts).not.toMatch(/rules\.|\w_\w/);
    });

    it("show rules that somebody else saved meanwhile, and let the next save replace them", async () => {
      const page = await browser.open(paths.rules);
      const { rules, version } = await sale.eligibility.getRules({ saleUuid: sale.saleUuid });
      if (rules === undefined) throw new Error("there are no rules");
      await sale.eligibility.updateRules({
        saleUuid: sale.saleUuid,
        rules: { ...rules, entityTypes: [EntityType.PERSON] },
        expectedVersion: version,
      });
      const conflict = await sendRules(page, "save");
      expect(conflict.html).toContain("Stored: people<br>Entered here: people and organizations");
      expect((await sendRules(conflict, "save")).path).toContain("done=rules");
    });

    it("check, import, find, remove and download members", async () => {
      const list = `email,wallet,max_amount\nann@example.org,,10\nnobody,,\n,${WALLETS[0]},\n,0xZZ,\nann@example.org,,20\n`;
      const { importGroupMembers, groupMembers } = paths;
      const [group = ""] = /(?<=<option value=")[0-9a-f-]{36}/.exec((await browser.open(groupMembers)).html) ?? [];
      const checked = await sendList(importGroupMembers, groupMembers, list, { do: "check", group });
      expect(checked.html).toContain("<li>2 lines would be stored.</li>");
      const wrong = [...checked.html.matchAll(/<th scope="row">(\d+)<\/th><td>(\w+)<\/td>/g)];
      expect(wrong.map(([, line, field]) => [line, field])).toEqual([
        ["3", "email"],
        ["5", "wallet"],
        ["6", "email"],
      ]);
      await sendList(importGroupMembers, groupMembers, list, { do: "import", group });
      const again = await sendList(importGroupMembers, groupMembers, list, { do: "import", group });
      expect(again.html).toContain("<li>2 lines change nothing.</li>");
      const page = await browser.open(groupMembers);
      expect(page.html).toContain("2 in all");
      const found = await browser.send(page, { action: groupMembers, fields: { search: "ANN@example.org" } });
      expect(found.html).toContain("<bdi>ann@example.org</bdi>");
      expect(found.html).toContain("at most 10 ");
      const { html: file } = await browser.open(paths.groupMembersCsv);
      const [uuid = ""] = /(?<=name="member" value=")[^"]+/.exec(found.html) ?? [];
      const removed = await browser.send(found, { action: paths.removeGroupMembers, fields: { member: uuid } });
      expect(removed.html).toContain("One member was removed.");
      await sendList(importGroupMembers, groupMembers, file, { do: "import" });
      expect((await browser.open(paths.groupMembersCsv)).html).toBe(file);
    });

    it("change, list and download the deny list", async () => {
      const { changeDenyList, denyList, denyListCsv } = paths;
      const added = await sendList(changeDenyList, denyList, [...WALLETS, "0x12"].join("\n"), { do: "import" });
      expect(added.html).toContain("<li>2 lines were added.</li>");
      expect(added.html).toContain('<th scope="row">3</th><td>wallet</td>');
      expect((await browser.open(denyList)).html).toContain("2 in all");
      const { html: file } = await browser.open(denyListCsv);
      await sendList(changeDenyList, denyList, file, { do: "import", "change-kind": "remove" });
      expect((await browser.open(denyList)).html).toContain("0 in all");
    });

    it("create, activate and rotate keys", async () => {
      const created = await sendKey("create");
      expect(created.html).toContain("grantRole(0xb0162d5e");
      const [{ keyUuid = "" } = {}] = (await sale.permits.listKeys({ saleUuid: sale.saleUuid })).keys;
      const refused = await sendKey("activate", { key: keyUuid });
      expect(refused.status).toBe(422);
      const active = await sendKey("activate", { key: keyUuid, [`override-${keyUuid}`]: "yes" });
      expect(active.html).toContain("The key is active.");
      expect((await sendKey("create")).html).toContain("Next: it doesn’t sign yet");
      expect((await sendKey("create")).status).toBe(422);
    });

    it("show permits as they were issued, and freeze the entity of one at once", async () => {
      const open = await web().openSale();
      const user = await web().user(open.saleUuid);
      await web().createEntity(user);
      const { EntityID } = (await web().call("/svc/v1/my-profile", {}, user.accessToken)).body;
      const asked = { SaleUUID: open.saleUuid, EntityID, PurchasingWalletAddress: WALLETS[0] };
      const issue = () => web().call("/svc/v1/generate-purchase-permit", asked, user.accessToken);
      expect((await issue()).status).toBe(200);
      const at = takingPartPaths(open.saleUuid);
      const founder = web().browserOf(open.owner);
      const overview = await founder.open(at.overview);
      expect(overview.html).toContain("One permit that was issued stays valid for at most ten minutes");
      const permits = await founder.open(at.permits);
      expect(permits.html).toContain("Valid now");
      const [freeze = "", entity = ""] = /[^"]+freezes\?entity=(0x\w+)/.exec(permits.html) ?? [];
      const page = await founder.open(freeze);
      const frozen = await founder.send(page, { action: at.freezes, fields: { entity, note: "asked by counsel" } });
      expect(frozen.html).toContain("Permits that it has already (1) stay valid");
      expect((await issue()).status).not.toBe(200);
      await founder.send(frozen, { action: at.liftFreeze });
      expect((await issue()).status).toBe(200);
    });

    it("are a stranger's no page", async () => {
      const stranger = web().browserOf(await web().service.auth.signIn("stranger@example.com"));
      for (const path of Object.values(paths)) expect([path, (await stranger.open(path)).status]).toEqual([path, 404]);
    });

    it("have reviewers decide, by version and never about themselves", async () => {
      const { auth } = web().service;
      const byCode = await auth.signIn(REVIEWER);
      expect((await web().browserOf(byCode).open(REVIEWS_PATH)).status).toBe(403);
      const given = { database: auth.database, clock: auth.time.now };
      const account = { uuid: byCode.accountUuid, email: REVIEWER };
      const session = { ...byCode, sessionToken: await sessionBy(given, "passkey", account) };
      const reviewer = web().browserOf(session);
      const people = [sale.owner, session] as const;
      const [uuid, own] = await Promise.all(
        people.map((one) => submitted(web().service, one, `Ann ${one.accountUuid}`)),
      );
      const list = await reviewer.open(REVIEWS_PATH);
      expect(list.html).toContain(`href="${reviewPath(uuid ?? "")}"`);
      const decide = async (entity = "", fields: Fields) => {
        const path = reviewPath(entity);
        return reviewer.send(await reviewer.open(path), { action: path, fields });
      };
      const past = { do: "approve", reference: "K-1", country: "DE", expires: "2020-01-31" };
      expect((await decide(uuid, past)).html).toContain('id="expires-error">Must lie in the future');
      const approved = await decide(uuid, { ...past, expires: "" });
      expect(approved.html).toContain("The entity is approved.");
      expect((await decide(own, { do: "refuse", reason: "No." })).html).toContain(
        "Nobody reviews an entity of their own.",
      );
      expect((await reviewer.open(reviewPath(uuid ?? ""))).status).toBe(404);
    });

    describe("what somebody entered", () => {
      it("is shown as text on every page (OWASP ASVS 5.3.3)", async () => {
        const refused = await sendRules(await sendRules(await browser.open(paths.rules), "add-group"), "save", {
          countries: HTML,
          group_name_1: HTML,
          group_opens_1: HTML,
          group_min_amount_1: HTML,
          screener_url: HTML,
          max_wallets: HTML,
        });
        const freezes = await browser.open(paths.freezes);
        const pages = [
          refused,
          await sendList(paths.importGroupMembers, paths.groupMembers, `email\n${HTML}\n`, { do: "check" }),
          await sendList(paths.changeDenyList, paths.denyList, HTML, { do: "check" }),
          await browser.send(await browser.open(paths.groupMembers), {
            action: paths.groupMembers,
            fields: { search: HTML },
          }),
          await browser.send(freezes, { action: paths.freezes, fields: { entity: HTML, note: HTML } }),
          await browser.open(`${paths.permits}?entity=${encodeURIComponent(HTML)}&after=${encodeURIComponent(HTML)}`),
          await browser.open(`${paths.signer}?done=${encodeURIComponent(HTML)}`),
          await browser.open(
            `${paths.groupMembers}?group=${encodeURIComponent(HTML)}&done=${encodeURIComponent(HTML)}`,
          ),
        ];
        for (const { html, path } of pages) expect([path, html.includes("<img src=x")]).toEqual([path, false]);
        expect(refused.html).toContain("&lt;img src=x onerror=alert(1)&gt;");
      });

      it("is kept out of the gateway's log", () => {
        const log = JSON.stringify(web().log);
        for (const text of ["ann@example.org", "asked by counsel", ...WALLETS]) expect(log).not.toContain(text);
      });
    });
  },
  { entities: { identity } },
);

/** Creates an entity that waits for a reviewer. @returns its UUID */
async function submitted(service: EntitiesFixture, session: OwnedSale["owner"], label: string): Promise<string> {
  const { entities } = await service.asPerson(session);
  const { entity } = await entities.createEntity({ type: EntityType.ORGANIZATION, label });
  await entities.beginSetup({ entityUuid: entity?.uuid ?? "", country: "DE" });
  return entity?.uuid ?? "";
}
