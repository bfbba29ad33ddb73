import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ACTOR_HEADER } from "../../../common/platform/rpc/identity/actor.ts";
import { AUTH_AUDIENCE } from "../../../common/platform/rpc/identity/audiences.ts";
import { AuthenticationMethod } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { SALE } from "../../testing/fake-commitments.ts";
import { FounderSite } from "../../testing/founder-site.ts";
import type { PageBrowser } from "../../testing/page-browser.ts";
import { salePaths } from "../base/dashboard-paths.ts";

const OTHER_SALE = "55555555-5555-4555-8555-555555555555";
const { sale, members, passkeyRule, settings } = salePaths(SALE);

let site: FounderSite;
let browser: PageBrowser;
beforeEach(async () => {
  site = await FounderSite.start();
  browser = site.browser("by a code");
});
afterEach(() => site.stop());

const addPasskey = () => site.gateway.auth.addPasskey();

function signInByPasskey(): void {
  browser.cookies.set("tidemark-session", site.sessionToken());
}

/** Makes the rule, as another owner with a passkey does. */
async function requirePasskeys(): Promise<void> {
  const { auth } = site.gateway;
  const email = "bob@example.org";
  await site.setRole(Role.OWNER, { email });
  await auth.addPasskey("Laptop", email);
  const session = { sessionToken: await auth.signIn({ email, by: "passkey" }), audience: AUTH_AUDIENCE };
  const { actorToken } = await auth.people.accounts.issueActorToken(session);
  const headers = { [ACTOR_HEADER]: actorToken };
  await auth.as("gateway").memberships.setSalePasskeyRule({ saleUuid: SALE, required: true }, { headers });
}

describe("a sale that requires passkeys", () => {
  beforeEach(requirePasskeys);

  it.each([sale, members, settings])("shows on %s how to sign in with one, and leads back", async (path) => {
    await addPasskey();
    const page = await browser.open(path);
    expect([page.status, page.html]).toEqual([403, expect.stringContaining("This sale requires a passkey")]);
    const next = new URLSearchParams({ next: path, again: "1", passkey: "1" });
    expect(page.html).toContain(`href="/sign-in?${String(next).replaceAll("&", "&amp;")}"`);
  });

  it("leads whoever has none to their passkeys", async () => {
    const page = await browser.open(sale);
    expect([page.status, page.html]).toEqual([403, expect.stringContaining('href="/account/passkeys"')]);
  });

  it("is in the list of sales without its name and figures, and with what to do", async () => {
    const { html } = await browser.open("/dashboard");
    expect(html).toContain(`href="${sale}">Sign in with a passkey to open this sale</a>`);
    expect(html).toContain("and you signed in with a code.");
    expect(html).not.toContain("Harbour Token");
    expect(site.gateway.auth.faults.asked("ListClientSummaries")).toEqual([]);
  });

  it("says the same while the names of other sales aren't known", async () => {
    await site.addSale(OTHER_SALE);
    site.gateway.sales.faults.failures.set("ListSaleOverviews", new ConnectError("away", Code.Unavailable));
    const { html } = await browser.open("/dashboard");
    expect(html).toContain(`href="${sale}">Sign in with a passkey to open this sale</a>`);
    expect(html.match(/Its name and figures aren’t known now/g)).toHaveLength(1);
  });
});

describe("the rule", () => {
  it("is made and ended by an owner who signed in with a passkey", async () => {
    await addPasskey();
    signInByPasskey();
    const on = await browser.send(await browser.open(members), { action: passkeyRule });
    expect([on.path, on.html]).toEqual([
      `${members}?done=passkeys-required`,
      expect.stringContaining("Owners and editors need a passkey from now on."),
    ]);
    expect(site.gateway.auth.faults.asked("SetSalePasskeyRule")).toMatchObject([{ saleUuid: SALE, required: true }]);
    expect(on.html).toContain('<span class="tag">Passkey</span>');
    const off = await browser.send(on, { action: passkeyRule });
    expect(off.html).toContain("Nobody needs a passkey any more.");
    expect(site.gateway.auth.faults.asked("SetSalePasskeyRule")[0]).toMatchObject({ required: false });
  });

  it("warns an owner who alone has a passkey, while nobody needs one", async () => {
    const warning = "No other owner has a passkey.";
    await addPasskey();
    signInByPasskey();
    const [owner, editor] = ["bob@example.org", "carol@example.org"];
    await site.setRole(Role.OWNER, { email: owner });
    await site.setRole(Role.EDITOR, { email: editor });
    await site.gateway.auth.addPasskey("Laptop", editor);
    const page = await browser.open(members);
    expect(page.html).toContain(warning);
    const required = await browser.send(page, { action: passkeyRule });
    expect(required.html).not.toContain(warning);
    await browser.send(required, { action: passkeyRule });
    await site.gateway.auth.addPasskey("Laptop", owner);
    expect((await browser.open(members)).html).not.toContain(warning);
  });

  it("wants a sign-in with a passkey of whoever signed in with a code, also where the form was open before", async () => {
    await addPasskey();
    expect((await browser.open(members)).html).not.toContain(`action="${passkeyRule}"`);
    signInByPasskey();
    const page = await browser.open(members);
    // No session changes how it began, but the page relies on nothing of that.
    const { session, account } = await site.gateway.auth.people.accounts.getSession({
      sessionToken: site.sessionToken(),
    });
    const byCode = { ...session, authenticatedBy: AuthenticationMethod.CODE };
    site.gateway.auth.faults.answers.set("GetSession", { session: byCode, ...(account && { account }) });
    const sent = await browser.send(page, { action: passkeyRule });
    expect(sent.path).toContain("passkey=1");
    expect(site.gateway.auth.faults.asked("SetSalePasskeyRule")).toEqual([]);
  });

  it("is shown to editors and viewers, who can't change it", async () => {
    await site.setRole(Role.EDITOR);
    signInByPasskey();
    const { html } = await browser.open(members);
    expect(html).toContain('<h2 id="passkeys">Passkeys</h2>');
    expect(html).not.toContain(`action="${passkeyRule}"`);
    expect(html).not.toContain("Sign in with a passkey");
  });
});
