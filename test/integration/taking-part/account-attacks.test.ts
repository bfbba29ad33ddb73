import { beforeAll, expect, it } from "vitest";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { entityPaths, NEW_ENTITY_PATH } from "../../../gateway/account/entities/entity-paths.ts";
import { hiddenFieldsOf, type PageBrowser } from "../../../gateway/testing/page-browser.ts";
import { describeOneParticipationWeb } from "../../support/applications/taking-part-web.ts";
import { CONSENT, WebApplication } from "../../support/applications/web-application.ts";
import { changeByPage, createByPage, fieldsOfStep } from "../../support/pages/entity-forms.ts";
import { sendTampered } from "../../support/pages/tampered-form.ts";

const HTML = `"><img src=x onerror=alert(1)><script>alert(2)</script>'`;
const MARKUP = /<img src=x|<script>/i;
const WALLET = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

describeOneParticipationWeb("the pages of entities", (web) => {
  let alice: PageBrowser;
  let mallory: PageBrowser;
  let entity: string;
  let own: string;
  beforeAll(async () => {
    const member = async () => web().browserOf(await web().service.auth.signIn(`${crypto.randomUUID()}@example.com`));
    [alice, mallory] = [await member(), await member()];
    entity = await createByPage(alice, "person", "Alice");
    // The service takes no such name; the pages don't rely on that.
    const update = web().service.database.query.updateTable("entity").set({ label: HTML });
    await update.where("entity", "=", bytesOfHex(entity)).execute();
    own = await createByPage(mallory, "person", "Mallory");
  });

  const pages = (uuid: string) => [NEW_ENTITY_PATH, ...Object.values(entityPaths(uuid)), "/account"];

  it("can't be framed, stored, sniffed or scripted, but for our own scripts (RFC 9700 4.16)", async () => {
    for (const path of pages(entity)) {
      const { status, headers, html } = await alice.open(path);
      const policy = (headers.get("content-security-policy") ?? "").split("; ");
      const scripts = ["script-src 'self'", ...(path.endsWith("/wallet") ? ["connect-src 'self'"] : [])];
      expect([path, status, policy]).toEqual([
        path,
        200,
        ["default-src 'none'", ...scripts, "style-src 'self'", "img-src 'self'", "form-action 'self'"].concat([
          "frame-ancestors 'none'",
          "base-uri 'none'",
        ]),
      ]);
      expect(headers.get("x-frame-options")).toBe("DENY");
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("access-control-allow-origin")).toBeNull();
      expect(html.match(/<script(?! type="module" src="\/assets\/)|<style|<iframe/gi)).toBeNull();
    }
  });

  it("show names and what was entered as text (OWASP ASVS 5.3.3)", async () => {
    const { wallet: action, entity: page } = entityPaths(entity);
    for (const path of Object.values(entityPaths(entity))) {
      const { html } = await alice.open(path);
      expect(html).not.toMatch(MARKUP);
      expect(html).toContain("&lt;script&gt;alert(2)");
    }
    const refused = [
      await alice.send(await alice.open(action), { action, fields: { address: HTML, chain: HTML } }),
      await alice.send(await alice.open(NEW_ENTITY_PATH), {
        action: NEW_ENTITY_PATH,
        fields: { type: HTML, label: HTML },
      }),
      await changeByPage(alice, entity, "begin", { country: HTML }),
      await alice.open(`${page}?done=${encodeURIComponent(HTML)}`),
    ];
    expect(refused.map(({ status }) => status)).toEqual([422, 422, 422, 200]);
    for (const { html } of refused) expect(html).not.toMatch(MARKUP);
  });

  it("and the consent page show a name as text there, too", async () => {
    const { saleUuid } = await web().openSale();
    const { client } = await web().service.applicationOf(saleUuid);
    const { html } = await new WebApplication(web().origin, client).authorize(alice);
    expect(html).not.toMatch(MARKUP);
    expect(html).toContain("&lt;script&gt;alert(2)");
  });

  it("show nothing of another account's entity, and change nothing of it (OWASP ASVS 4.2.1)", async () => {
    const { entity: page, wallet, remove } = entityPaths(entity);
    for (const path of [page, wallet, remove]) expect(await mallory.open(path)).toMatchObject({ status: 404 });
    const mine = await mallory.open(entityPaths(own).entity);
    const rename = { ...fieldsOfStep(mine, "rename"), label: "Mine now" };
    expect(await mallory.post(page, rename)).toMatchObject({ status: 404 });
    const link = hiddenFieldsOf((await mallory.open(entityPaths(own).wallet)).html, entityPaths(own).wallet);
    const fields = { ...Object.fromEntries(link), address: WALLET, chain: "1" };
    expect(await mallory.post(wallet, fields)).toMatchObject({ status: 404 });
    const deletion = hiddenFieldsOf((await mallory.open(entityPaths(own).remove)).html, entityPaths(own).remove);
    expect(await mallory.post(remove, Object.fromEntries(deletion))).toMatchObject({ status: 404 });
    expect((await alice.open(page)).html).not.toContain("Mine now");
  });

  it("hide no entity of another account at a consent", async () => {
    const { saleUuid: SaleUUID } = await web().openSale();
    const { client } = await web().service.applicationOf(SaleUUID);
    const application = new WebApplication(web().origin, client);
    const page = await application.authorize(mallory);
    const decided = await sendTampered(mallory, page, {
      action: CONSENT,
      change: (fields) => {
        fields.set("listed", entity);
        fields.set("decision", "allow");
      },
    });
    expect(decided.leftTo).toContain("code=");
    const { html } = await application.authorize(alice, { prompt: "consent" });
    expect(html).toContain(`name="entity" value="${entity}" checked`);
  });

  it.each([
    ["another site", { "sec-fetch-site": "cross-site" }],
    ["another host of the same site", { "sec-fetch-site": "same-site" }],
    ["another origin, by an old browser", { origin: "https://evil.example" }],
    ["an origin that isn't named", { origin: "null" }],
  ] as const)("take no form from %s (RFC 9700 4.7)", async (_, headers) => {
    const forms = [entityPaths(entity).entity, entityPaths(entity).wallet, entityPaths(entity).remove, NEW_ENTITY_PATH];
    for (const action of forms) {
      const answer = await alice.send(await alice.open(action), { action, headers });
      expect([action, answer.status]).toEqual([action, 403]);
    }
    expect((await alice.open(entityPaths(entity).entity)).status).toBe(200);
  });

  it("take no form that was made for another session or another purpose (OWASP ASVS 4.2.2)", async () => {
    const { entity: page, remove } = entityPaths(entity);
    const foreign = fieldsOfStep(await mallory.open(entityPaths(own).entity), "rename");
    expect(await alice.post(page, { ...foreign, label: "Renamed" })).toMatchObject({ status: 403 });
    const rename = fieldsOfStep(await alice.open(page), "rename");
    expect(await alice.post(remove, rename)).toMatchObject({ status: 403 });
    const { form_token: _, ...without } = rename;
    expect(Object.keys(without).length).toBeLessThan(Object.keys(rename).length);
    expect(await alice.post(page, { ...without, label: "Renamed" })).toMatchObject({ status: 403 });
    expect((await alice.open(page)).html).not.toContain("Renamed");
  });
});
