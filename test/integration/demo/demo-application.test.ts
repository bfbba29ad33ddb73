import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listen } from "../../../common/platform/http/listen.ts";
import { PageBrowser, type ShownPage } from "../../../gateway/testing/page-browser.ts";
import { AUCTION } from "../../../services/demo/sales/demo-sales.ts";
import { signInByPages } from "../../support/pages/page-sign-in.ts";
import { type EmbeddedTidemark, startEmbedded } from "../../support/processes/embedded.ts";
import { type TemporaryFolder, temporaryFolder } from "../../support/processes/temporary-folder.ts";

const APPLICATION = /demo application: (http:\/\/localhost:\d+), which/;
const MAIL_PAGE = { MAIL_PAGE: "on", MAIL_PAGE_PORT: "0" };

/** Heading of the page with tokens. */
const SIGNED_IN = "From sign-in to a bid";

let folder: TemporaryFolder;
let tidemark: EmbeddedTidemark | undefined;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(async () => {
  await tidemark?.stop();
  await folder.remove();
});

async function start(env: Readonly<Record<string, string>> = {}): Promise<EmbeddedTidemark> {
  await tidemark?.process.kill("SIGTERM");
  tidemark = await startEmbedded("node", { DATA_DIR: folder.path, DEMO_CHAIN: "off", ...env });
  return tidemark;
}

async function originOf({ process }: EmbeddedTidemark): Promise<string> {
  const [, origin = ""] = await process.waitForLine(APPLICATION);
  return origin;
}

/** The link that begins the sign-in. */
function authorizeUrlOn({ html }: ShownPage): string {
  const [, link = ""] = /href="([^"]+)">Sign in with Tidemark/.exec(html) ?? [];
  return link.replaceAll("&amp;", "&");
}

async function signIn(browser: PageBrowser, change: (callback: URL) => void = () => {}): Promise<ShownPage> {
  const email = `${randomUUID()}@example.com`;
  const authorizeUrl = authorizeUrlOn(await browser.open("/"));
  const mailFolder = join(folder.path, "mail");
  const callback = await signInByPages({ authorizeUrl, email, mailFolder, sharesEmail: true });
  change(callback);
  return browser.open(callback.pathname + callback.search);
}

describe("the demo's application, beside the embedded process", () => {
  let browser: PageBrowser;

  it("signs a user in and shows every step", async () => {
    browser = new PageBrowser(await originOf(await start(MAIL_PAGE)));
    const page = await signIn(browser);
    expect([page.status, page.path]).toEqual([200, "/"]);
    expect(page.html).toContain(SIGNED_IN);
    expect(page.html).toContain("grant_type=authorization_code");
    expect(page.html).toContain(`&quot;client_id&quot;: &quot;${AUCTION.clientUuid}&quot;`);
    expect(page.html).toContain(`&quot;sale_uuid&quot;: &quot;${AUCTION.uuid}&quot;`);
    expect(page.html).toMatch(/&quot;email&quot;: &quot;[0-9a-f-]+@example\.com&quot;/);
    expect(page.html).not.toContain("Refused");
    expect(page.html).toContain("You have no entity that this application sees.");
  });

  it("has its mails on a page of this machine, if that is asked for", async () => {
    const { process } = tidemark ?? (await start(MAIL_PAGE));
    const [, mails = ""] = await process.waitForLine(/its mails: (http:\/\/localhost:\d+) and in /);
    expect(await (await fetch(mails)).text()).toContain(" is your sign-in code</h2>");
  });

  it("says why nobody can bid without a chain", async () => {
    expect((await browser.open("/")).html).toContain(
      "Nobody can bid here: the auction has no chain now: DEMO_CHAIN=off.",
    );
  });

  it("shows every state that an application meets, also to who hasn't signed in", async () => {
    const origin = await originOf(tidemark ?? (await start()));
    expect((await new PageBrowser(origin).open("/states")).html).toContain("<code>requires-liveness</code>");
  });

  it("refuses a form that is too long", async () => {
    expect((await browser.post("/permit", { entity: "x".repeat(5_000) })).status).toBe(413);
  });

  it("refreshes, asks again, and is refused once the tokens are revoked", async () => {
    const refreshed = await press("/refresh");
    expect(refreshed.html).toContain("grant_type=refresh_token");
    expect((await press("/user")).html).not.toContain("Refused");
    expect((await press("/revoke")).html).not.toContain("Refused");
    const { html } = await press("/user");
    expect(html).toContain("401");
    expect(html).toContain("Refused");
    expect((await press("/again")).html).toContain("Sign in with Tidemark");
  });

  it.each([
    ["state", "another"],
    ["iss", "https://elsewhere.example"],
    ["code", "A".repeat(43)],
  ])("refuses an answer with another %s", async (name, value) => {
    const visitor = new PageBrowser(await originOf(tidemark ?? (await start())));
    const { html } = await signIn(visitor, ({ searchParams }) => searchParams.set(name, value));
    expect(html).toContain("Refused");
    expect(html).not.toContain(SIGNED_IN);
  });

  it("refuses the answer to a sign-in that another browser started", async () => {
    const origin = await originOf(tidemark ?? (await start()));
    const { html } = await new PageBrowser(origin).open("/oauth/callback?code=c&state=s");
    expect(html).toContain("this browser hasn’t started a sign-in here");
  });

  it("refuses forms of other sites, and every host name but localhost", async () => {
    const origin = await originOf(tidemark ?? (await start()));
    const foreign = { method: "POST", headers: { origin: "http://localhost:1", "sec-fetch-site": "same-site" } };
    expect((await fetch(`${origin}/again`, foreign)).status).toBe(403);
    expect((await fetch(origin.replace("localhost", "127.0.0.1"))).status).toBe(403);
  });

  it("is set up once: a later start on another port adds its redirect URI", async () => {
    const before = await originOf(await start());
    const origin = await originOf(await start());
    expect(origin).not.toBe(before);
    expect((await signIn(new PageBrowser(origin))).html).toContain(SIGNED_IN);
  });

  it("is set up for sales that were opened before there was an auth service", async () => {
    await tidemark?.process.kill("SIGTERM");
    for (const ending of ["", "-wal", "-shm"]) await rm(join(folder.path, `auth.sqlite${ending}`), { force: true });
    const origin = await originOf(await start());
    expect((await signIn(new PageBrowser(origin))).html).toContain(SIGNED_IN);
  });

  it("says so if another program has the port, and leaves it alone", async () => {
    const other = createServer();
    const { port } = await listen(other, { host: "127.0.0.1", port: 0 });
    const { process } = await start({ DEMO_APP_PORT: `${port}` });
    await process.waitForLine(new RegExp(`demo application: none, as another program uses http://localhost:${port}`));
    const [, link = ""] = await process.waitForLine(/authorize link: (\S+)/);
    expect(new URL(link).searchParams.get("redirect_uri")).toBe(`http://localhost:${port}/oauth/callback`);
    expect((await fetch(link, { redirect: "manual" })).status).toBeLessThan(400);
    await new Promise((resolve) => other.close(resolve));
  });

  async function press(action: string): Promise<ShownPage> {
    return browser.send(await browser.open("/"), { action });
  }
});
