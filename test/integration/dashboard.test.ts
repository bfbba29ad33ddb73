import { generateKeyPairSync, randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { verifierSnippet } from "../../gateway/dashboard/application/application-snippet.ts";
import { hiddenFieldsOf, PageBrowser, type ShownPage } from "../../gateway/testing/page-browser.ts";
import { openStore } from "../../services/auth/base/open-store.ts";
import { pngImage } from "../../services/auth/testing/images.ts";
import { type DashboardSite, startDashboardSite } from "../support/pages/dashboard-site.ts";
import { PAGES_OF_SALE } from "../support/pages/founder-pages.ts";
import { nextCode } from "../support/processes/mail-folder.ts";

const ONE_HOUR_MS = 3_600_000n;
const TOKEN = "0x1000000000000000000000000000000000000001";
const SALE = {
  name: "Harbour",
  kind: "fixed",
  price: "0.25",
  token_address_0: TOKEN,
  token_decimals_0: "6",
  token_usd_0: "yes",
  offered_decimals: "18",
  source: "none",
};
const NEW_SALE = "/dashboard/new-sale";

let site: DashboardSite;
beforeAll(async () => {
  site = await startDashboardSite();
});
afterAll(() => site?.stop());

/** Somebody with a browser without script. */
class Person {
  readonly email = `${randomBytes(6).toString("hex")}@example.com`;
  readonly browser = new PageBrowser(site.origin);
  readonly #read = new Set<string>();

  async signIn(path = "/dashboard"): Promise<ShownPage> {
    return this.confirm(await this.browser.open(path));
  }

  async confirm(page: ShownPage): Promise<ShownPage> {
    const sent = await this.browser.send(page, { action: "/sign-in", fields: { email: this.email } });
    const code = await nextCode(site.mailFolder, this.email, this.#read);
    return this.browser.send(sent, { action: "/sign-in/code", fields: { code } });
  }

  /** @returns the page of the new sale */
  async createSale(tenancy = "test"): Promise<ShownPage> {
    const form = await this.browser.open(NEW_SALE);
    return this.browser.send(form, { action: NEW_SALE, fields: { ...SALE, tenancy, do: "create" } });
  }

  /** @returns the page of the new application */
  async createApplication(sale: string): Promise<ShownPage> {
    const action = `${sale}/applications/new`;
    const form = await this.browser.open(action);
    const scopes = {
      scope_read_entities: "required",
      scope_sale_eligibility_check: "required",
      scope_contact_email: "off",
    };
    return this.browser.send(form, { action, fields: { name: "Portal", ...scopes } });
  }

  addRedirectUri(page: ShownPage, uri: string): Promise<ShownPage> {
    return this.browser.send(page, { action: `${pathOf(page)}/redirect-uris/add`, fields: { redirect_uri: uri } });
  }

  async upload(page: ShownPage, image: Uint8Array<ArrayBuffer>, shape = "square"): Promise<string> {
    const action = `${pathOf(page)}/logos`;
    const body = new FormData();
    for (const [name, value] of hiddenFieldsOf(page.html, action)) body.set(name, value);
    body.set(shape, new Blob([image], { type: "image/png" }), "logo.png");
    const cookie = Array.from(this.browser.cookies, ([name, value]) => `${name}=${value}`).join("; ");
    const headers = { cookie, "sec-fetch-site": "same-origin" };
    const answer = await fetch(site.origin + action, { method: "POST", body, headers, redirect: "manual" });
    return answer.status === 303 ? "saved" : `${answer.status} ${await answer.text()}`;
  }
}

const pathOf = ({ path }: ShownPage) => path.replace(/\?.*/, "");

async function expireSignIns(): Promise<void> {
  const database = await openStore({ sqliteFile: `${site.dataFolder}/auth.sqlite` });
  await database.write((query) =>
    query
      .updateTable("session")
      .set(({ eb }) => ({ authenticated_at_ms: eb("authenticated_at_ms", "-", ONE_HOUR_MS) }))
      .execute(),
  );
  await database.close();
}

/** The attempts on a sale that the audit table has, each with the role of the person and the one that was needed. */
async function refusedAttempts(sale: string): Promise<readonly string[]> {
  const database = await openStore({ sqliteFile: `${site.dataFolder}/auth.sqlite` });
  const uuid = Buffer.from(sale.split("/").at(-1)?.replaceAll("-", "") ?? "", "hex");
  const rows = await database.query
    .selectFrom("audit")
    .select("details")
    .where("event", "=", "sale.access_refused")
    .where("sale", "=", uuid)
    .execute();
  await database.close();
  return rows.map(({ details }) => {
    const { role, needed } = JSON.parse(details);
    return `${role}: ${needed}`;
  });
}

async function founder(): Promise<Person> {
  const person = new Person();
  await person.signIn();
  return person;
}

/** Sends a form as a browser would that has its token. */
async function forged(person: Person, action: string, from: ShownPage, fields: Readonly<Record<string, string>>) {
  const page = { ...from, html: from.html.replace(/action="[^"]*"/g, `action="${action}"`) };
  return person.browser.send(page, { action, fields });
}

/** The status that an upload gets of which only the headers are sent. */
async function answerBeforeBody(action: string, cookies: ReadonlyMap<string, string>): Promise<number | undefined> {
  const cookie = Array.from(cookies, ([name, value]) => `${name}=${value}`).join("; ");
  const headers = {
    cookie,
    "sec-fetch-site": "same-origin",
    "content-type": "multipart/form-data; boundary=none",
    "content-length": "400000",
  };
  const sending = request(site.origin + action, { method: "POST", headers });
  sending.flushHeaders();
  const [answer] = (await once(sending, "response")) as [IncomingMessage];
  sending.on("error", () => {});
  sending.destroy();
  return answer.statusCode;
}

/** Returns a page without the links to itself in other languages: pages that exist in English only have none. */
const withoutSwitch = ({ html }: ShownPage) => html.replace(/<nav aria-label="Language">.*?<\/nav>/, "");

describe("a sale of somebody else", () => {
  it("is as one that doesn't exist, for every page and form", async () => {
    const [owner, stranger] = [await founder(), await founder()];
    const sale = pathOf(await owner.createSale());
    const application = pathOf(await owner.createApplication(sale));
    const own = pathOf(await stranger.createSale());
    const missing = `/dashboard/sales/${randomUUID()}`;
    const absent = await stranger.browser.open(missing);
    expect(absent.status).toBe(404);
    for (const page of PAGES_OF_SALE) {
      const shown = await stranger.browser.open(sale + page);
      expect([shown.status, withoutSwitch(shown)], page).toEqual([404, withoutSwitch(absent)]);
    }
    expect(await stranger.browser.open(application)).toMatchObject({ status: 404 });
    // The stranger's own sale with the application of another.
    const mixed = application.replace(sale, own);
    expect(await stranger.browser.open(mixed)).toMatchObject({ status: 404 });
    const settings = await stranger.browser.open(`${own}/settings`);
    const change = await forged(stranger, `${sale}/settings`, settings, { ...SALE, do: "save" });
    expect([change.status, withoutSwitch(change)]).toEqual([404, withoutSwitch(absent)]);
    const copy = await stranger.browser.open(`${NEW_SALE}?from=${sale.split("/").at(-1)}`);
    expect([copy.status, withoutSwitch(copy)]).toEqual([404, withoutSwitch(absent)]);
  });
});

describe("a viewer", () => {
  it("sees, and changes nothing", async () => {
    const [owner, viewer] = [await founder(), await founder()];
    const sale = pathOf(await owner.createSale());
    const application = await owner.createApplication(sale);
    const members = await owner.browser.open(`${sale}/members`);
    const fields = { email: viewer.email, role: "viewer" };
    const invite = { ...members, html: members.html.slice(members.html.indexOf('id="invite"')) };
    expect((await owner.browser.send(invite, { action: `${sale}/members`, fields })).html).toContain(
      "The member is saved",
    );
    const seen = await viewer.browser.open(sale);
    expect(seen.status).toBe(200);
    expect(seen.html).toContain("You: Viewer");
    expect(seen.html).not.toMatch(/Change settings|href="[^"]*\/(?:settings|open)"|Add an application/);
    for (const page of ["/settings", "/presentation", "/open", "/settle", "/applications/new"]) {
      expect((await viewer.browser.open(sale + page)).status, page).toBe(403);
    }
    const own = pathOf(await viewer.createSale());
    const settings = await viewer.browser.open(`${own}/settings`);
    const change = { ...SALE, do: "save" };
    expect((await forged(viewer, `${sale}/settings`, settings, change)).status).toBe(403);
    const ownApplication = await viewer.createApplication(own);
    const uris = `${pathOf(application)}/redirect-uris/add`;
    const addUri = {
      ...ownApplication,
      html: ownApplication.html.slice(ownApplication.html.indexOf("/redirect-uris/add") - 80),
    };
    expect((await forged(viewer, uris, addUri, { redirect_uri: "https://evil.example/" })).status).toBe(403);
    const unchanged = await owner.browser.open(pathOf(application));
    expect(unchanged.html).not.toContain("evil.example");
  });

  it("leaves what it tried in the audit table, as a stranger does", async () => {
    const [owner, viewer, stranger] = [await founder(), await founder(), await founder()];
    const sale = pathOf(await owner.createSale());
    const members = await owner.browser.open(`${sale}/members`);
    const invite = { ...members, html: members.html.slice(members.html.indexOf('id="invite"')) };
    const fields = { email: viewer.email, role: "viewer" };
    await owner.browser.send(invite, { action: `${sale}/members`, fields });
    expect(await refusedAttempts(sale)).toEqual([]);
    for (let count = 0; count < 3; count += 1) await viewer.browser.open(`${sale}/settings`);
    await viewer.browser.open(`${sale}/settle`);
    await stranger.browser.open(sale);
    const attempts = await refusedAttempts(sale);
    expect([...new Set(attempts)].toSorted()).toEqual(["none: viewer", "viewer: editor", "viewer: owner"]);
    // The same attempt is a row in each window of ten minutes, the end of which may lie between two of them.
    expect(attempts.length).toBeLessThanOrEqual(4);
    expect((await owner.browser.open(`${sale}/log`)).html).not.toContain(stranger.email);
  });
});

describe("what people read about a sale", () => {
  it("is entered on a page of its own, stays when settings change, and is in the log and in a copy", async () => {
    const owner = await founder();
    const sale = pathOf(await owner.createSale());
    const action = `${sale}/presentation`;
    const entered = {
      description: "Two\nlines",
      website: "https://a.example",
      symbol: "TIDE",
      opens: "2027-01-15 08:00",
    };
    const refused = await owner.browser.send(await owner.browser.open(action), {
      action,
      fields: { ...entered, website: "http://a.example", closes: "2027-01-15 08:00" },
    });
    expect(refused.html).toContain("Your site: must begin with https://, or with http:// and this computer&#39;s name");
    expect(refused.html).toContain("Closes: must be later than the opening");
    const saved = await owner.browser.send(refused, { action, fields: { ...entered, closes: "2027-02-15 08:00" } });
    expect(saved.html).toContain("It is saved.");
    const settings = await owner.browser.open(`${sale}/settings`);
    await owner.browser.send(settings, { action: `${sale}/settings`, fields: { ...SALE, name: "Lagoon", do: "save" } });
    const shown = await owner.browser.open(sale);
    expect(shown.html).toContain("Lagoon");
    for (const text of ["https://a.example/", "TIDE", "2027-02-15 08:00 UTC"]) expect(shown.html).toContain(text);
    expect((await owner.browser.open(`${sale}/log`)).html).toContain("https://a.example/");
    const upload = new FormData();
    const form = await owner.browser.open(action);
    for (const [name, value] of hiddenFieldsOf(form.html, `${action}/logo`)) upload.set(name, value);
    upload.set("logo", new Blob([Uint8Array.from(pngImage(32, 32))], { type: "image/png" }), "logo.png");
    const logo = /src="(\/logos\/[0-9a-f]{64})"/.exec((await owner.browser.post(`${action}/logo`, upload)).html)?.[1];
    const image = await fetch(site.origin + logo);
    expect([image.status, image.headers.get("content-type")]).toEqual([200, "image/png"]);
    const copying = `${NEW_SALE}?from=${sale.split("/").at(-1)}`;
    const copyForm = await owner.browser.open(copying);
    for (const text of ["Two\nlines", "https://a.example/", "TIDE", "2027-02-15T08:00"]) {
      expect(copyForm.html).toContain(text);
    }
    const copied = { ...SALE, website: "https://a.example", do: "create" };
    const copy = await owner.browser.send(copyForm, { action: copying, fields: copied });
    expect(copy.html).toContain("https://a.example/");
    expect((await owner.browser.open(`${pathOf(copy)}/presentation`)).html).toContain(`src="${logo}"`);
  });
});

describe("what a founder sees of a sale", () => {
  const textOf = ({ html }: ShownPage) => html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");

  it("is its next step, then its figures, its use and its files, as the services know them", async () => {
    const [owner, stranger] = [await founder(), await founder()];
    const { browser } = owner;
    const sale = pathOf(await owner.createSale());
    const next = (link: string, text: string) => `Next: <a href="${sale}${link}">${text}</a>`;
    expect((await browser.open("/dashboard")).html).toContain(next("/applications/new", "Add an application"));
    const preview = await browser.open(`${sale}/preview`);
    expect(textOf(preview)).toMatch(/Preview\..* Harbour .*\$0\.25.* Nobody has committed\./);
    expect((await stranger.browser.open(`${sale}/preview`)).status).toBe(404);
    const application = await owner.createApplication(sale);
    await owner.addRedirectUri(application, "https://app.example/callback");
    await owner.upload(application, Uint8Array.from(pngImage(64, 64)));
    await owner.upload(application, Uint8Array.from(pngImage(192, 64)), "wide");
    expect((await browser.open("/dashboard")).html).toContain(next("/open", "Open the sale…"));
    await browser.send(await browser.open(`${sale}/open`), { action: `${sale}/open` });
    const list = textOf(await browser.open("/dashboard"));
    expect(list).toMatch(
      /Harbour .*Committed \$0 .*Commitments 0 .*Applications 1 .*Sign-ins in 7 days 0 .*Permits issued 0/,
    );
    expect(list).toContain("Commitments come from your service");
    expect(list).toContain("Next: Tell people about the sale");
    expect(list).not.toContain("not known");
    expect(textOf(await stranger.browser.open("/dashboard"))).not.toContain("Harbour");
    expect((await browser.open(`${sale}/preview`)).status).toBe(409);
    const cookie = Array.from(browser.cookies, ([name, value]) => `${name}=${value}`).join("; ");
    const file = await fetch(`${site.origin}${sale}/commitments-for-people.csv?zone=Asia/Tokyo`, {
      headers: { cookie },
    });
    expect(await file.text()).toMatch(/^Time \(Asia\/Tokyo\),Ahead of UTC,[^\r]+\r\n$/);
  });
});

describe("an address that no page has", () => {
  it("answers with a page that leads back", async () => {
    const { browser } = await founder();
    for (const [path, link] of [
      ["/dashboard/nothing", "/dashboard"],
      ["/dashboard/sales", "/dashboard"],
      ["/account/nothing", "/account"],
    ] as const) {
      const page = await browser.open(path);
      expect([path, page.status]).toEqual([path, 404]);
      expect(page.html).toContain("There is no such page");
      expect(page.html).toContain(`href="${link}"`);
    }
  });
});

describe("the pages", () => {
  it("lead from the host’s name to the dashboard and back from the account, and to the guide, the calls and the embed snippet", async () => {
    const owner = await founder();
    const home = await owner.browser.open("/");
    expect(home.status).toBe(200);
    for (const path of ["/dashboard", "/account"]) expect(home.html).toContain(`href="${site.origin}${path}"`);
    expect(home.html).toContain('href="/docs"');
    expect((await owner.browser.open("/account")).html).toContain('href="/dashboard"');
    const sale = await owner.createSale();
    expect(sale.html).toContain('href="/dashboard/guide"');
    const developers = await owner.browser.open(`${pathOf(sale)}/developers`);
    expect(developers.html).toContain(`href="${site.origin}/docs"`);
    const uuid = pathOf(sale).split("/").at(-1);
    expect(developers.html).toContain(`&lt;tidemark-sale sale=&quot;${uuid}&quot;&gt;`);
    expect((await owner.browser.open("/dashboard/guide")).html).toContain("From nothing to an open sale");
  });

  it("say what was changed, in words and in money", async () => {
    const owner = await founder();
    const sale = pathOf(await owner.createSale());
    const settings = await owner.browser.open(`${sale}/settings`);
    const fields = { ...SALE, name: "Pier", price: "0.3", tick: "0.05", do: "review" };
    const review = await owner.browser.send(settings, { action: `${sale}/settings`, fields });
    await owner.browser.send(review, { action: `${sale}/settings`, fields: { do: "save" } });
    await owner.createApplication(sale);
    const { html } = await owner.browser.open(`${sale}/log`);
    expect(html).toContain('Name: from <del><bdi lang="">Harbour</bdi></del> to <bdi lang="">Pier</bdi>');
    expect(html).toContain(
      'Price: from <del><bdi lang="">0.25 dollars per token</bdi></del> to <bdi lang="">0.3 dollars per token</bdi>',
    );
    expect((await owner.browser.open(sale)).html).toContain("6 price ticks of 0.05 dollars");
  });
});

describe("what is entered", () => {
  it("can't give a live sale a place on one's own computer, nor change a sale's tenancy", async () => {
    const owner = await founder();
    const sale = await owner.createSale("live");
    const application = await owner.createApplication(pathOf(sale));
    const refused = await owner.addRedirectUri(application, "http://localhost:3000/");
    expect([refused.status, refused.html]).toEqual([
      422,
      expect.stringContaining("must not be an address of the user&#39;s own machine; only test sales may use those"),
    ]);
    const settings = await owner.browser.open(`${pathOf(sale)}/settings`);
    const fields = { ...SALE, name: "Renamed", do: "save" };
    const changed = await forged(
      owner,
      `${pathOf(sale)}/settings`,
      { ...settings, html: settings.html.replace('name="tenancy" value="live"', 'name="tenancy" value="test"') },
      fields,
    );
    expect(changed.html).toContain("The settings are saved.");
    expect(changed.html).toMatch(/<span class="tag">Live<\/span>/);
  });

  it("is refused at its field by the check as by the creation", async () => {
    const owner = await founder();
    for (const step of ["step-4", "create"]) {
      const form = await owner.browser.open(NEW_SALE);
      const fields = { ...SALE, name: "<script>alert(1)</script>", tenancy: "test", do: step };
      const refused = await owner.browser.send(form, { action: NEW_SALE, fields });
      expect([refused.status, refused.html]).toEqual([422, expect.stringContaining("must not contain &lt; or &gt;")]);
      expect(refused.html).toContain('href="#name"');
      expect(refused.html).toContain('id="name-error"');
      expect(refused.html).not.toContain("<script>alert");
    }
    expect((await owner.browser.open("/dashboard")).html).toContain("Set up your first sale");
  });

  it("is kept with the sale’s ID, whatever the browser, until the sale is created", async () => {
    const owner = await founder();
    const idOn = ({ html }: ShownPage) => /<code[^>]*>(0x[0-9a-f]{32})<\/code>/.exec(html)?.[1] ?? "none";
    const first = await owner.browser.open(NEW_SALE);
    const refused = await owner.browser.send(first, { action: NEW_SALE, fields: { ...SALE, price: "", do: "step-3" } });
    const again = await owner.browser.open(NEW_SALE);
    expect(idOn(first)).toMatch(/^0x/);
    expect([idOn(refused), idOn(again)]).toEqual([idOn(first), idOn(first)]);
    expect(again.html).toContain('value="Harbour"');
    expect(again.html).toContain("You began this sale before");
    const emptied = await owner.browser.send(again, { action: NEW_SALE, fields: { do: "start-again" } });
    expect(idOn(emptied)).toBe(idOn(first));
    expect(emptied.html).not.toContain('value="Harbour"');
    const sale = pathOf(await owner.createSale());
    expect(`0x${sale.split("/").at(-1)?.replaceAll("-", "")}`).toBe(idOn(first));
    const next = await owner.browser.open(NEW_SALE);
    expect(idOn(next)).not.toBe(idOn(first));
    expect(next.html).not.toContain("You began this sale before");
  });

  it("is no logo where it isn't a small, whole image", async () => {
    const owner = await founder();
    const page = await owner.createApplication(pathOf(await owner.createSale()));
    const svg = Uint8Array.from(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'));
    expect(await owner.upload(page, svg)).toContain("must be a PNG, JPEG or WebP image");
    expect(await owner.upload(page, Uint8Array.from(pngImage(5_000, 4_000)))).toContain("5000 × 4000");
    expect(await owner.upload(page, Uint8Array.from(pngImage(64, 64)), "wide")).toContain("times as wide as high");
    expect(await owner.upload(page, new Uint8Array(204_801))).toMatch(/^422 /);
    expect(await owner.upload(page, new Uint8Array(600_000))).toMatch(/^413 /);
    const polyglot = Uint8Array.from(Buffer.concat([pngImage(64, 64), Buffer.from("<script>alert(1)</script>")]));
    expect(await owner.upload(page, polyglot)).toBe("saved");
    const { html } = await owner.browser.open(pathOf(page));
    const logo = await fetch(site.origin + (/\/logos\/[0-9a-f]{64}/.exec(html)?.[0] ?? ""));
    expect(logo.headers.get("content-type")).toBe("image/png");
    expect(Buffer.from(await logo.arrayBuffer()).equals(pngImage(64, 64))).toBe(true);
  });

  it("is no file of a stranger: it isn't even read", async () => {
    const [owner, stranger] = [await founder(), await founder()];
    const action = `${pathOf(await owner.createApplication(pathOf(await owner.createSale())))}/logos`;
    expect(await answerBeforeBody(action, new Map())).toBe(303);
    expect(await answerBeforeBody(action, stranger.browser.cookies)).toBe(404);
  });

  it("counts only on a form of ours", async () => {
    const owner = await founder();
    const form = await owner.browser.open(NEW_SALE);
    const fields = { ...SALE, tenancy: "test", do: "create" };
    const elsewhere = { "sec-fetch-site": "cross-site" };
    expect((await owner.browser.send(form, { action: NEW_SALE, fields, headers: elsewhere })).status).toBe(403);
    const other = await (await founder()).browser.open(NEW_SALE);
    expect((await owner.browser.send(other, { action: NEW_SALE, fields })).status).toBe(403);
  });

  it("makes one sale, however often it is sent", async () => {
    const owner = await founder();
    const form = await owner.browser.open(NEW_SALE);
    const send = () =>
      owner.browser.send(form, { action: NEW_SALE, fields: { ...SALE, tenancy: "test", do: "create" } });
    expect((await send()).path).toBe((await send()).path);
    expect((await owner.browser.open("/dashboard")).html.match(/class="sale-name"/g)).toHaveLength(1);
  });
});

describe("the page of an application", () => {
  it("shows developers a service that takes its tokens, and no others", async () => {
    const owner = await founder();
    const { html, path } = await owner.createApplication(pathOf(await owner.createSale()));
    const [, clientId = ""] = /\/applications\/([0-9a-f-]{36})/.exec(path) ?? [];
    const issuer = site.origin;
    const shown = html.replaceAll("&quot;", '"').replaceAll("&gt;", ">").replaceAll("&amp;", "&");
    expect(shown).toContain(verifierSnippet({ issuer, audience: issuer, clientId, tenancy: "test" }));
  });
});

describe("the security settings of an application", () => {
  const keys = JSON.stringify({
    keys: [{ ...generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" }), kid: "backend" }],
  });

  it("get stronger at once, and weaker with a sign-in that keeps what was entered", async () => {
    const owner = await founder();
    const page = pathOf(await owner.createApplication(pathOf(await owner.createSale())));
    const action = `${page}/security`;
    const save = (from: ShownPage, fields: Readonly<Record<string, string>>) =>
      owner.browser.send(from, { action, fields: { authentication: "none", algorithm: "RS256", ...fields } });
    expect((await owner.browser.open(page)).html).toContain(`href="${action}"`);
    await expireSignIns();
    const stronger = await save(await owner.browser.open(action), { demands_push: "yes", algorithm: "ES256" });
    expect(stronger.html).toContain("The security settings are saved.");
    expect(stronger.html).toMatch(/id="demands_push"[^>]* checked/);
    const wanted = {
      authentication: "private_key_jwt",
      algorithm: "ES256",
      jwks: keys,
      post_logout_uris: "https://app.example/bye",
    };
    const back = await owner.confirm(await save(stronger, wanted));
    expect(back.html).toContain("&quot;kid&quot;: &quot;backend&quot;");
    expect(back.html).toContain("https://app.example/bye</textarea>");
    expect((await save(back, wanted)).html).toContain("The owners are notified by e-mail.");
    const sale = page.replace(/\/applications.*/, "");
    const copying = `${NEW_SALE}?from=${sale.split("/").at(-1)}`;
    const fields = { ...SALE, do: "create" };
    const copy = await owner.browser.send(await owner.browser.open(copying), { action: copying, fields });
    const [copied = ""] = /\/dashboard\/[^"]*\/applications\/[0-9a-f-]{36}/.exec(copy.html) ?? [];
    const copiedSecurity = (await owner.browser.open(`${copied}/security`)).html;
    expect(copiedSecurity).toMatch(/id="algorithm-es256"[^>]* checked/);
    expect(copiedSecurity).not.toMatch(/backend|app\.example/);
    const log = (await owner.browser.open(`${sale}/log`)).html;
    for (const text of ["Pushed authorization requests", "private_key_jwt", "backend (OKP, "])
      expect(log).toContain(text);
  });

  it("name what is wrong beside its field, and say when somebody else was quicker", async () => {
    const owner = await founder();
    const page = pathOf(await owner.createApplication(pathOf(await owner.createSale())));
    const action = `${page}/security`;
    const form = await owner.browser.open(action);
    const pair = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" });
    const fields = {
      authentication: "private_key_jwt",
      jwks: JSON.stringify({ keys: [{ ...pair, kid: "leaked" }] }),
      post_logout_uris: "https://app.example/\nhttp://app.example/\nhttps://app.example/#bye",
    };
    const { html } = await owner.browser.send(form, { action, fields });
    expect(html).toContain("Public key 1: has private parts");
    expect(html).not.toContain(pair.d);
    const [, beside = ""] = /id="post_logout_uris-error">([^<]*)</.exec(html) ?? [];
    const lines = [expect.stringMatching(/^Address 2: must begin with https:/), expect.stringMatching(/^Address 3: /)];
    expect(beside.split("\n")).toEqual(lines);
    await owner.browser.send(form, { action, fields: { demands_dpop: "yes" } });
    const late = await owner.browser.send(form, { action, fields: { demands_push: "yes" } });
    expect(late.html).toContain("Somebody else has changed the application in the meantime");
  });

  it("are for owners where they get weaker, and viewers only see them", async () => {
    const owner = await founder();
    const sale = pathOf(await owner.createSale());
    const action = `${pathOf(await owner.createApplication(sale))}/security`;
    const [editor, viewer] = [await founder(), await founder()];
    for (const [{ email }, role] of [
      [editor, "editor"],
      [viewer, "viewer"],
    ] as const) {
      const members = await owner.browser.open(`${sale}/members`);
      const invite = { ...members, html: members.html.slice(members.html.indexOf('id="invite"')) };
      await owner.browser.send(invite, { action: `${sale}/members`, fields: { email, role } });
    }
    const form = await editor.browser.open(action);
    const keysFields = { authentication: "private_key_jwt", jwks: keys };
    expect((await editor.browser.send(form, { action, fields: keysFields })).status).toBe(403);
    const on = await editor.browser.send(form, { action, fields: { demands_dpop: "yes" } });
    expect(on.html).toContain("The security settings are saved.");
    const shown = (await viewer.browser.open(action)).html;
    expect(shown).toContain("Only tokens bound to a key");
    expect(shown).not.toContain("<textarea");
  });
});

describe("what wants a recent sign-in", () => {
  it("asks for one, and then shows the form with what was entered", async () => {
    const owner = await founder();
    const sale = pathOf(await owner.createSale());
    const application = await owner.createApplication(sale);
    await expireSignIns();
    const uri = "https://app.example/callback?a=1&b=2";
    const asked = await owner.addRedirectUri(application, uri);
    expect(asked.html).toContain("Confirm that it’s you");
    const back = await owner.confirm(asked);
    expect(pathOf(back)).toBe(pathOf(application));
    expect(back.html).toContain('name="redirect_uri" value="https://app.example/callback?a=1&amp;b=2"');
    const saved = await owner.addRedirectUri(back, uri);
    expect(saved.html).toContain("The redirect URIs are saved");
  });

  it("is to settle a sale, to disable an application and to require e-mail addresses", async () => {
    const owner = await founder();
    const sale = pathOf(await owner.createSale());
    const application = await owner.createApplication(sale);
    const [page, form] = [pathOf(application), `${sale}/applications/new`];
    const newApplication = await owner.browser.open(form);
    const settlement = await owner.browser.open(`${sale}/settle`);
    const email = { name: "Tide", scope_contact_email: "required" };
    await expireSignIns();
    expect((await owner.browser.open(`${sale}/settle`)).html).toContain("Confirm that it’s you");
    expect((await owner.browser.send(settlement, { action: `${sale}/settle` })).html).toContain(
      "Confirm that it’s you",
    );
    const optional = { name: "Tide", scope_contact_email: "optional" };
    expect((await owner.browser.send(application, { action: page, fields: optional })).html).toContain("are saved");
    const changed = await owner.browser.open(page);
    const disabling = await owner.browser.send(changed, { action: `${page}/status` });
    expect(disabling.html).toContain("Confirm that it’s you");
    const [asked, askedNew] = [
      await owner.browser.send(changed, { action: page, fields: email }),
      await owner.browser.send(newApplication, { action: form, fields: email }),
    ];
    const back = await owner.confirm(asked);
    expect(pathOf(back)).toBe(page);
    const isChosen = 'id="scope-contact_email-required" name="scope_contact_email" value="required" checked';
    expect(back.html).toContain(isChosen);
    expect((await owner.browser.send(back, { action: page, fields: email })).html).toContain("are saved");
    const backNew = await owner.confirm(askedNew);
    expect([pathOf(backNew), backNew.html]).toEqual([form, expect.stringContaining(isChosen)]);
    expect(backNew.html).toContain('name="name" value="Tide"');
    const disabled = await owner.browser.send(await owner.browser.open(page), { action: `${page}/status` });
    expect(disabled.html).toContain("The application is disabled, and its tokens are revoked. The owners are notified");
  });

  it("has a form that no link fills", async () => {
    const owner = await founder();
    const application = pathOf(await owner.createApplication(pathOf(await owner.createSale())));
    const uri = "https://evil.example/callback";
    const forgedEntry = `${"a".repeat(43)}.${Buffer.from(uri).toString("base64url")}`;
    for (const query of [`redirect_uri=${encodeURIComponent(uri)}`, `entry=${uri}`, `entry=${forgedEntry}`]) {
      const page = await owner.browser.open(`${application}?${query}`);
      expect(page.html).toContain('name="redirect_uri" value=""');
      expect(page.html).not.toContain("evil.example");
    }
  });
});
