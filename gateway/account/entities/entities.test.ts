import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  EntityType,
  IdentityProvider,
  IssuedPermitSummarySchema,
  SetupState,
} from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { type AuthGateway, CLIENT_ID, startAuthGateway } from "../../testing/auth-gateway.ts";
import { SALE } from "../../testing/fake-commitments.ts";
import {
  FakeOwnEntities,
  fakeEntity,
  LINK_TEXT,
  LINKED_WALLET,
  OWN_ORGANIZATION,
  OWN_PERSON,
  RIGHT_SIGNATURE,
  START_URL,
} from "../../testing/fake-own-entities.ts";
import { PageBrowser } from "../../testing/page-browser.ts";
import { vendorTargets } from "./entity-page.ts";
import { entityPaths, NEW_ENTITY_PATH } from "./entity-paths.ts";

const PATHS = entityPaths(OWN_PERSON);

let own: FakeOwnEntities;
let gateway: AuthGateway;
let browser: PageBrowser;
beforeAll(async () => {
  own = new FakeOwnEntities();
  gateway = await startAuthGateway({}, undefined, own.clients);
  await gateway.application.code(await gateway.auth.signIn());
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  own.entities = [fakeEntity()];
  [own.wallets, own.permits, own.provider, own.calls.length] = [[], [], IdentityProvider.REVIEW, 0];
  own.failures.clear();
  browser = new PageBrowser(gateway.origin);
  browser.cookies.set("tidemark-session", await gateway.auth.signIn());
});

/** Sends the form of the entity's page that does something. */
async function change(step: string, fields: Readonly<Record<string, string>> = {}) {
  const { html } = await browser.open(PATHS.entity);
  const form = html.split("<form").find((text) => text.includes(`name="do" value="${step}"`)) ?? "";
  const hidden = Array.from(form.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g), ([, name, value]) => [
    name,
    value,
  ]);
  return browser.post(PATHS.entity, { ...Object.fromEntries(hidden), ...fields });
}

describe("the account", () => {
  it("shows entities with their identity checks, and permits of the last days", async () => {
    const approvalExpiresAt = timestampFromMs(Date.UTC(2027, 0, 31, 12));
    own.entities.push(
      fakeEntity({
        uuid: OWN_ORGANIZATION,
        type: EntityType.ORGANIZATION,
        label: "Harbour GmbH",
        country: "DE",
        setupState: SetupState.COMPLETE,
        approvalExpiresAt,
      }),
    );
    const permit = { saleUuid: SALE, entityUuid: OWN_ORGANIZATION, wallet: LINKED_WALLET, issuedAt: approvalExpiresAt };
    own.permits = [create(IssuedPermitSummarySchema, permit)];
    const { html } = await browser.open("/account");
    expect(html).toContain('<bdi>Alice Harbour</bdi></strong> <span class="tag">Not begun');
    expect(html).toContain("Organization · Germany");
    expect(html).toContain("31 Jan 2027, 12:00 UTC");
    expect(html).toMatch(
      new RegExp(`<bdi>Harbour GmbH</bdi></strong></p><p class="quiet">[^<]*<code>${LINKED_WALLET}</code>`),
    );
  });

  it("shows the rest while the entities service is away", async () => {
    own.failures.set("ListEntities", new ConnectError("away", Code.Unavailable));
    const { status, html } = await browser.open("/account");
    expect(status).toBe(200);
    expect(html).toContain("Your entities can’t be shown now.");
    expect(html).toContain("Where you are signed in");
  });
});

describe("a new entity", () => {
  const add = async (fields: Readonly<Record<string, string>>) =>
    browser.send(await browser.open(NEW_ENTITY_PATH), { action: NEW_ENTITY_PATH, fields });

  it("is created, and its page is next", async () => {
    const page = await add({ type: "organization", label: " Harbour GmbH " });
    expect(own.asked("CreateEntity")).toMatchObject([{ type: EntityType.ORGANIZATION, label: "Harbour GmbH" }]);
    expect(page.html).toContain("<h1><bdi>Harbour GmbH</bdi></h1>");
  });

  it.each([
    ["", "Enter a name."],
    ["Alice", "The account has its person."],
  ])("is refused with the reason, and what was entered stays: %j", async (label, reason) => {
    const page = await add({ type: "person", label });
    expect(page).toMatchObject({ status: 422, html: expect.stringContaining(reason) });
    expect(page.html).toContain(`value="${label}"`);
  });
});

describe("the page of an entity", () => {
  it("is its own person's", async () => {
    expect(await browser.open(entityPaths(OWN_ORGANIZATION).entity)).toMatchObject({ status: 404 });
    expect(await browser.open(entityPaths("x").entity)).toMatchObject({ status: 404 });
    browser.cookies.clear();
    expect((await browser.open(PATHS.entity)).path).toBe(`/sign-in?next=${encodeURIComponent(PATHS.entity)}`);
  });

  it("declares the country for a review, and then waits", async () => {
    const page = await change("begin", { country: "austria" });
    expect(own.asked("BeginSetup")).toMatchObject([{ entityUuid: OWN_PERSON, country: "AT" }]);
    expect(page.html).toContain("waits for a reviewer");
    expect(page.html).not.toContain('value="begin"');
    own.entities = [fakeEntity()];
    expect(await change("begin", { country: "Atlantis" })).toMatchObject({ status: 422 });
  });

  it("leads to the vendor's page", async () => {
    own.provider = IdentityProvider.WEBHOOK;
    const { leftTo } = await change("begin");
    expect(leftTo).toBe(START_URL);
    const { headers, html } = await browser.open(PATHS.entity);
    // A developer's gateway by HTTP, so the vendor may be one, too.
    expect(headers.get("content-security-policy")).toContain("form-action 'self' https: http:");
    expect(vendorTargets("https://auth.example")).toBe("https");
    expect(html).toContain("Go on</button>");
  });

  it("lets the user of a sandbox choose, and says that it is one", async () => {
    own.provider = IdentityProvider.DEMO;
    expect((await browser.open(PATHS.entity)).html).toContain("This is a sandbox");
    await change("choose", { state: String(SetupState.COMPLETE), country: "DE" });
    expect(own.asked("ChooseDemoSetup")).toMatchObject([{ state: SetupState.COMPLETE, country: "DE" }]);
  });

  it("shows why a check was refused, and any refusal of the service", async () => {
    own.entities = [fakeEntity({ setupState: SetupState.FAILURE, setupReason: "The <b>passport</b> has expired." })];
    expect((await browser.open(PATHS.entity)).html).toContain("The &lt;b&gt;passport&lt;/b&gt; has expired.");
    own.failures.set("BeginSetup", new ConnectError("the set-up can't begin", Code.FailedPrecondition));
    const page = await change("begin", { country: "DE" });
    expect(page).toMatchObject({ status: 422, html: expect.stringContaining("The set-up can&#39;t begin.") });
  });

  it("renames the version that was shown", async () => {
    const page = await change("rename", { label: "Alice A." });
    expect(own.asked("UpdateEntity")).toMatchObject([{ label: "Alice A.", expectedVersion: 1n }]);
    expect(page.html).toContain("The name is changed.");
  });

  it("takes no form from elsewhere, and none that does nothing", async () => {
    const page = await browser.open(PATHS.entity);
    const form = { action: PATHS.entity, headers: { "sec-fetch-site": "cross-site" } };
    expect(await browser.send(page, form)).toMatchObject({ status: 403 });
    expect(await change("begin", { do: "toString" })).toMatchObject({ status: 400 });
  });
});

describe("deleting an entity", () => {
  it("wants a recent sign-in", async () => {
    const page = await browser.open(PATHS.remove);
    browser.cookies.set("tidemark-session", await gateway.auth.signIn({ ageMs: 3_600_000 }));
    expect((await browser.open(PATHS.remove)).path).toMatch(/^\/sign-in\?next=.*again=1$/);
    expect((await browser.send(page, { action: PATHS.remove })).status).toBe(403);
    expect(own.asked("DeleteEntity")).toStrictEqual([]);
  });

  it("goes back to the account", async () => {
    const page = await browser.send(await browser.open(PATHS.remove), { action: PATHS.remove });
    expect([page.path, own.entities]).toStrictEqual(["/account", []]);
  });
});

describe("a wallet", () => {
  const begin = async (address: string) =>
    browser.send(await browser.open(PATHS.wallet), { action: PATHS.wallet, fields: { address, chain: "8453" } });

  it("is linked by a pasted signature, and unlinked", async () => {
    const text = await begin(LINKED_WALLET);
    expect(own.asked("BeginWalletLink")).toMatchObject([{ kind: 1, address: LINKED_WALLET, chainId: 8453n }]);
    expect(text.html).toContain(LINK_TEXT);
    const linked = await browser.send(text, { action: PATHS.wallet, fields: { signature: ` ${RIGHT_SIGNATURE}\n` } });
    expect(linked.html).toContain("The wallet is linked.");
    expect(linked.html).toContain(`<code>${LINKED_WALLET}</code>`);
    const unlinked = await change("unlink");
    expect(unlinked.html).toContain("None is linked.");
    expect(own.asked("UnlinkWallet")).toMatchObject([{ kind: 1, address: LINKED_WALLET }]);
  });

  it.each(["0x12", "not a signature", "", "0x1"])("isn't linked by %j: a new text is needed", async (signature) => {
    const page = await browser.send(await begin(LINKED_WALLET), { action: PATHS.wallet, fields: { signature } });
    expect(page).toMatchObject({ status: 422, html: expect.stringContaining("Begin again with a new text.") });
    expect(page.html).toContain(`value="${LINKED_WALLET}"`);
  });
});

describe("the applications of an entity", () => {
  it("are hidden from and shown to, each by a form, and others stay as they are", async () => {
    own.hidden.set(CLIENT_ID, [OWN_ORGANIZATION]);
    expect((await browser.open(PATHS.entity)).html).toContain('<span class="tag">Sees it');
    const { html } = await change("hide");
    expect(html).toContain("The application no longer sees it.");
    expect(own.hidden.get(CLIENT_ID)).toStrictEqual([OWN_ORGANIZATION, OWN_PERSON]);
    expect((await change("show")).html).toContain("The application sees it.");
    expect(own.hidden.get(CLIENT_ID)).toStrictEqual([OWN_ORGANIZATION]);
  });

  it("are only those with the user's consent", async () => {
    const before = own.asked("ChangeHiddenEntities").length;
    expect((await change("hide", { client: OWN_PERSON })).status).toBe(400);
    expect(own.asked("ChangeHiddenEntities")).toHaveLength(before);
  });
});
