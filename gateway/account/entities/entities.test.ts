import { randomUUID } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { bytesOfHex, messageBytes } from "../../../common/platform/encoding/hex.ts";
import { ClearingOutcome } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { SalePresentationSchema } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { EntityType, SetupState } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import type { Application } from "../../../services/auth/testing/application.ts";
import { VENDOR_SETTINGS } from "../../../services/entities/testing/vendor.ts";
import {
  authorizePath,
  CLIENT_ID,
  type FullGateway,
  harbourPortal,
  startFullGateway,
} from "../../testing/auth-gateway.ts";
import { SALE, saleAt } from "../../testing/fake-commitments.ts";
import { addEntity, atEntities } from "../../testing/own-entities.ts";
import { PageBrowser } from "../../testing/page-browser.ts";
import { storePermits } from "../../testing/taking-part.ts";
import { vendorTargets } from "./entity-page.ts";
import { entityPaths, NEW_ENTITY_PATH } from "./entity-paths.ts";

const STRANGE = "31313131-3131-4131-8131-313131313132";
const WALLET = privateKeyToAccount(`0x${"0a".repeat(32)}`);

let shared: FullGateway;
let application: Application;
/** The gateway of the test: the shared one unless it needs other settings. */
let gateway: FullGateway;
let browser: PageBrowser;
let email: string;
let person: string;
let paths: ReturnType<typeof entityPaths>;
beforeAll(async () => {
  shared = await startFullGateway();
  application = await harbourPortal(shared.auth);
});
afterAll(() => shared.stop());
beforeEach(async () => {
  shared.entities.faults.reset();
  gateway = shared;
  await arrive();
});

/** Has somebody new visit the gateway, who has an entity. */
async function arrive(given: Parameters<typeof addEntity>[1] = {}): Promise<void> {
  email = `${randomUUID()}@example.org`;
  person = (await addEntity(gateway, given, email)).uuid;
  paths = entityPaths(person);
  browser = new PageBrowser(gateway.origin);
  browser.cookies.set("tidemark-session", await gateway.auth.signIn({ email }));
}

/** Binds a wallet to the person in the sale, as a permit does. */
async function bind(wallet: Uint8Array): Promise<void> {
  const times = { bound_at_ms: 1n, permit_expires_at_ms: 2n, proved_at_ms: null, chain_id: 0n };
  const row = { sale: bytesOfHex(SALE), wallet, kind: "evm" as const, entity: bytesOfHex(person), ...times };
  await gateway.entities.context.database.write((transaction) =>
    transaction.insertInto("sale_wallet").values(row).execute(),
  );
}

/** Frees all wallets for the other tests. */
async function unbind(): Promise<void> {
  await gateway.entities.context.database.write((transaction) => transaction.deleteFrom("sale_wallet").execute());
}

const asked = (method: string) => gateway.entities.faults.asked(method);
const fail = (method: string, error: ConnectError) => gateway.entities.faults.failures.set(method, error);

/** Sends the form of the entity's page that does something. */
async function change(step: string, fields: Readonly<Record<string, string>> = {}) {
  return browser.post(paths.entity, { ...(await hiddenOf(step)), ...fields });
}

/** Returns the hidden fields of the form of the entity's page that does something. */
async function hiddenOf(step: string): Promise<Readonly<Record<string, string>>> {
  const { html } = await browser.open(paths.entity);
  const form = html.split("<form").find((text) => text.includes(`name="do" value="${step}"`)) ?? "";
  const hidden = Array.from(form.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g), ([, name, value]) => [
    name,
    value,
  ]);
  return Object.fromEntries(hidden);
}

describe("the account", () => {
  it("shows entities with their identity checks, and permits of the last days", async () => {
    const approvalExpiresAtMs = BigInt(Date.UTC(2127, 0, 31, 12));
    const checked = { setupState: "complete", provider: "review", country: "DE", approvalExpiresAtMs } as const;
    const given = { type: "organization", label: "Harbour GmbH", ...checked } as const;
    const { uuid } = await addEntity(gateway, given, email);
    await storePermits(gateway, [
      { entityUuid: uuid, wallet: { kind: "evm", bytes: messageBytes(WALLET.address.slice(2)) } },
    ]);
    const { html } = await browser.open("/account");
    expect(html).toContain('<bdi>Alice Harbour</bdi></strong> <span class="tag">Not begun');
    expect(html).toContain("Organization · Germany");
    expect(html).toContain("31 Jan 2127, 12:00 UTC");
    expect(html).toContain(`<bdi>Harbour GmbH</bdi>, with the wallet <code>${WALLET.address}</code>`);
  });

  it("shows permits and bids before everything else, with sale and application, and what became of each bid", async () => {
    await application.tokens(await gateway.auth.signIn({ email }));
    const bytes = messageBytes(WALLET.address.slice(2));
    await storePermits(gateway, [{ entityUuid: person, wallet: { kind: "evm", bytes } }]);
    await bind(bytes);
    const position = { commitments: [{ clearingOutcome: ClearingOutcome.OUT }] };
    gateway.commitments.sales.set(SALE, { ...saleAt(1n), position });
    const { html } = await browser.open("/account");
    const sale = `http://localhost:8080/sales/${SALE}`;
    expect(html).toContain(`<a href="${sale}"><bdi>Harbour Token public sale</bdi></a>`);
    expect(html).toContain('You take part through <a href="https://app.example/"><bdi>Harbour Portal</bdi></a>');
    expect(html).toContain('Bid: <span class="tag">Out</span>');
    expect(html).toContain(`<a href="${sale}#wallet=${WALLET.address}"`);
    expect(html.indexOf('id="own-sales"')).toBeLessThan(html.indexOf('id="address"'));
    gateway.commitments.sales.delete(SALE);
    expect((await browser.open("/account")).html).toContain('<span class="tag">Can’t be shown now</span>');
    await unbind();
  });

  it("leads to the people who run a sale, beside its bids and on the page of its application's user", async () => {
    gateway = await startFullGateway();
    onTestFinished(() => gateway.stop());
    const sale = saleAt(1n);
    const presentation = create(SalePresentationSchema, { contact: "help@harbour.example" });
    gateway.commitments.sales.set(SALE, { ...sale, sale: { ...sale.sale, presentation } });
    await arrive();
    await (await harbourPortal(gateway.auth)).tokens(await gateway.auth.signIn({ email }));
    await bind(messageBytes(WALLET.address.slice(2)));
    const link = 'Contact the people who run the sale: <a href="mailto:help@harbour.example"';
    for (const page of ["/account", paths.entity]) expect((await browser.open(page)).html).toContain(link);
    const { html } = await browser.open("/account");
    expect(html).toContain(`Sale: <a href="http://localhost:8080/sales/${SALE}"><bdi>Harbour Token public sale</bdi>`);
  });

  it("shows the rest while the entities service is away", async () => {
    fail("ListEntities", new ConnectError("away", Code.Unavailable));
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
    expect(asked("CreateEntity")).toMatchObject([{ type: EntityType.ORGANIZATION, label: "Harbour GmbH" }]);
    expect(page.html).toContain("<h1><bdi>Harbour GmbH</bdi></h1>");
  });

  it("is sent for review by the same form, whose country must be one", async () => {
    const fields = { type: "organization", label: "Harbour GmbH" };
    for (const country of ["", "Atlantis"]) {
      const refused = await add({ ...fields, country });
      expect(refused).toMatchObject({ status: 422, html: expect.stringContaining("Enter a country’s name") });
      expect(refused.html).toContain('value="Harbour GmbH"');
      expect(refused.html).toContain(`value="${country}" aria-describedby="country-hint country-error"`);
    }
    expect(asked("CreateEntity")).toHaveLength(0);
    const page = await add({ ...fields, country: "austria" });
    expect(asked("BeginSetup")).toMatchObject([{ country: "AT" }]);
    expect(page.html).toContain("waits for a reviewer");
    expect(page.html).toContain("The identity check has begun.");
  });

  it("is there although its check is refused, which its own page says", async () => {
    fail("BeginSetup", new ConnectError("not now", Code.FailedPrecondition));
    const page = await add({ type: "organization", label: "Harbour GmbH", country: "Austria" });
    expect(page).toMatchObject({ status: 422, html: expect.stringContaining("Not now.") });
    expect(page.html).toContain("<h1><bdi>Harbour GmbH</bdi></h1>");
    expect(page.html).toContain('value="Austria"');
    expect(asked("CreateEntity")).toHaveLength(1);
  });

  it("has the result that a user of a sandbox chooses", async () => {
    gateway = await startFullGateway({ IDENTITY_PROVIDER: "demo" });
    onTestFinished(() => gateway.stop());
    await arrive();
    const state = String(SetupState.COMPLETE);
    const page = await add({ type: "organization", label: "Harbour GmbH", state, country: "AT" });
    expect(page.html).toContain("Identity check: Approved");
  });

  describe("in a sandbox, of somebody whom an application has sent", () => {
    const APPROVED = { state: String(SetupState.COMPLETE), country: "AT" };

    beforeEach(async () => {
      gateway = await startFullGateway({ IDENTITY_PROVIDER: "demo" });
      await (await harbourPortal(gateway.auth)).tokens(await gateway.auth.signIn({ email: "nora@example.org" }));
      browser = new PageBrowser(gateway.origin);
      browser.cookies.set("tidemark-session", await gateway.auth.signIn({ email: "nora@example.org" }));
    });
    afterEach(() => gateway.stop());

    const addMyself = async (fields: Readonly<Record<string, string>>) =>
      browser.send(await browser.open("/account"), { action: NEW_ENTITY_PATH, fields: { type: "person", ...fields } });

    it("leads back there once it is approved, as the form has said, and has a name that tells nothing", async () => {
      const { html, headers } = await browser.open("/account");
      expect(html).toContain("With an approval, you go back to <bdi>Harbour Portal</bdi>.");
      expect(headers.get("content-security-policy")).toContain("form-action 'self' https:;");
      expect(html.indexOf('id="entities"')).toBeLessThan(html.indexOf('id="address"'));
      expect((await addMyself(APPROVED)).leftTo).toBe("https://app.example/");
      expect(asked("CreateEntity")).toMatchObject([{ type: EntityType.PERSON, label: "Myself" }]);
    });

    it("leads nowhere else, whatever a link has named", async () => {
      browser.cookies.set("tidemark-sender", encodeURIComponent(`${CLIENT_ID} https://evil.example`));
      expect((await addMyself(APPROVED)).leftTo).toBe("https://app.example/");
    });

    it("stays on its own page until it is approved there", async () => {
      const page = await addMyself({ state: String(SetupState.IN_REVIEW), country: "" });
      expect(page.html).toContain("Identity check: In review");
      expect(page.html).toContain("you go back to <bdi>Harbour Portal</bdi>.");
      expect((await browser.send(page, { action: page.path, fields: APPROVED })).leftTo).toBe("https://app.example/");
    });

    it("needs a name if it is an organization", async () => {
      const page = await addMyself({ type: "organization", ...APPROVED });
      expect(page).toMatchObject({ status: 422, html: expect.stringContaining("Enter a name.") });
      expect(page.html).toContain('<option value="organization" selected>');
      expect(page.html).not.toContain("An organization, or another name");
      expect(asked("CreateEntity")).toStrictEqual([]);
    });
  });

  it("is asked for on the account's page while there is none, at once if an application has sent the user", async () => {
    const form = `action="${NEW_ENTITY_PATH}"`;
    expect((await browser.open("/account")).html).not.toContain(form);
    const session = await gateway.auth.signIn({ email: "new@example.org" });
    browser.cookies.set("tidemark-session", session);
    const { html } = await browser.open("/account");
    expect(html).toContain(form);
    expect(html).not.toContain("<details open>");
    await application.tokens(session);
    const page = await browser.open(`/svc/${SALE}/home`);
    expect(page.html).toContain("<details open>");
    const fields = { type: "person", label: "Nora", country: "AT" };
    expect((await browser.send(page, { action: NEW_ENTITY_PATH, fields })).html).toContain("waits for a reviewer");
  });

  it("needs no country where a vendor checks", async () => {
    gateway = await startFullGateway(VENDOR_SETTINGS);
    onTestFinished(() => gateway.stop());
    await arrive();
    expect((await browser.open(NEW_ENTITY_PATH)).html).not.toContain('name="country"');
  });

  it.each([
    ["", "Enter a name."],
    ["Alice", "The account has its person entity already."],
  ])("is refused with the reason, and what was entered stays: %j", async (label, reason) => {
    const page = await add({ type: "person", label });
    expect(page).toMatchObject({ status: 422, html: expect.stringContaining(reason) });
    expect(page.html).toContain(`value="${label}"`);
  });
});

describe("the page of an entity", () => {
  it("is its own person's", async () => {
    expect(await browser.open(entityPaths(STRANGE).entity)).toMatchObject({ status: 404 });
    expect(await browser.open(entityPaths("x").entity)).toMatchObject({ status: 404 });
    browser.cookies.clear();
    expect((await browser.open(paths.entity)).path).toBe(`/sign-in?next=${encodeURIComponent(paths.entity)}`);
  });

  it("declares the country for a review, and then waits", async () => {
    const page = await change("begin", { country: "austria" });
    expect(asked("BeginSetup")).toMatchObject([{ entityUuid: person, country: "AT" }]);
    expect(page.html).toContain("waits for a reviewer");
    expect(page.html).not.toContain('value="begin"');
    await arrive();
    expect(await change("begin", { country: "Atlantis" })).toMatchObject({ status: 422 });
  });

  const asking = { setupState: "in_progress", openQuestion: "Which <b>register</b>?" } as const;
  /** An answer as long as it may be, of letters that take many bytes, with line breaks as browsers send them. */
  const LONG_ANSWER = `${"\u{1f30a}".repeat(900)}${"\r\n".repeat(200)}end`;

  it("asks what a reviewer has asked, and nothing because of a reason", async () => {
    await arrive(asking);
    const { html } = await browser.open(paths.entity);
    expect(html).toContain("Which &lt;b&gt;register&lt;/b&gt;?</bdi></strong>");
    expect(html).toContain('name="answer"');
    await arrive({ setupState: "in_progress", setupReason: "The check has ended." });
    expect((await browser.open(paths.entity)).html).not.toContain('name="answer"');
  });

  it("shows no question of a reviewer once others check, to whom nobody can answer", async () => {
    gateway = await startFullGateway({ IDENTITY_PROVIDER: "demo" });
    onTestFinished(() => gateway.stop());
    await arrive(asking);
    for (const path of [paths.entity, "/account"]) {
      expect((await browser.open(path)).html).not.toMatch(/has a question|register/);
    }
  });

  it("takes the longest answer, in which a line break is one character", async () => {
    await arrive(asking);
    const answer = `${"a\r\n".repeat(999)}bc`;
    expect((await change("begin", { country: "AT", answer })).html).toContain("waits for a reviewer");
    expect(asked("BeginSetup")).toMatchObject([{ answer: answer.replaceAll("\r\n", "\n") }]);
  });

  it.each([
    ["country", () => undefined],
    ["service", () => fail("BeginSetup", new ConnectError("not now", Code.FailedPrecondition))],
  ])("loses no long answer when the form is refused: %s", async (kind, given) => {
    await arrive(asking);
    given();
    const page = await change("begin", { country: kind === "country" ? "Atlantis" : "AT", answer: LONG_ANSWER });
    expect(page).toMatchObject({ status: 422, path: paths.entity });
    expect(page.html).toContain(`${LONG_ANSWER.replaceAll("\r\n", "\n")}</textarea>`);
    expect(page.html).toContain(kind === "country" ? 'value="Atlantis"' : "Not now.");
  });

  it("says while the service is away that a reload sends a long answer again, and not to go back, as not every browser has it then", async () => {
    await arrive(asking);
    fail("BeginSetup", new ConnectError("away", Code.Unavailable));
    const sent = { ...(await hiddenOf("begin")), country: "AT", answer: LONG_ANSWER };
    const away = await browser.post(paths.entity, sent);
    expect(away).toMatchObject({
      status: 503,
      html: expect.stringContaining("loading it again sends what you entered"),
    });
    expect(away.html).not.toMatch(/go back|isn’t lost/);
    gateway.entities.faults.reset();
    expect((await browser.post(paths.entity, sent)).html).toContain("waits for a reviewer");
    expect(asked("BeginSetup")).toMatchObject([{ answer: LONG_ANSWER.replaceAll("\r\n", "\n") }]);
  });

  it("shows a short answer again while the service is away", async () => {
    await arrive(asking);
    fail("BeginSetup", new ConnectError("away", Code.Unavailable));
    const short = await change("begin", { country: "AT", answer: "Vienna." });
    expect(short.html).toContain(">Vienna.</textarea>");
  });

  it("leads to the vendor's page", async () => {
    gateway = await startFullGateway(VENDOR_SETTINGS);
    onTestFinished(() => gateway.stop());
    await arrive();
    const { leftTo } = await change("begin");
    expect(leftTo).toContain(`${VENDOR_SETTINGS.IDENTITY_START_URL}?`);
    const { headers, html } = await browser.open(paths.entity);
    // A developer's gateway by HTTP, so the vendor may be one, too.
    expect(headers.get("content-security-policy")).toContain("form-action 'self' https: http:");
    expect(vendorTargets("https://auth.example")).toBe("https");
    expect(html).toContain("Go on</button>");
  });

  it("lets the user of a sandbox choose, and says that it is one", async () => {
    gateway = await startFullGateway({ IDENTITY_PROVIDER: "demo" });
    onTestFinished(() => gateway.stop());
    await arrive();
    expect((await browser.open(paths.entity)).html).toContain("This is a sandbox");
    await change("choose", { state: String(SetupState.COMPLETE), country: "DE" });
    expect(asked("ChooseDemoSetup")).toMatchObject([{ state: SetupState.COMPLETE, country: "DE" }]);
  });

  it("shows why a check was refused, and any refusal of the service", async () => {
    await arrive({ setupState: "failure", setupReason: "The <b>passport</b> has expired." });
    expect((await browser.open(paths.entity)).html).toContain("The &lt;b&gt;passport&lt;/b&gt; has expired.");
    fail("BeginSetup", new ConnectError("the set-up can't begin", Code.FailedPrecondition));
    const page = await change("begin", { country: "DE" });
    expect(page).toMatchObject({ status: 422, html: expect.stringContaining("The set-up can&#39;t begin.") });
  });

  it("renames the version that was shown", async () => {
    const page = await change("rename", { label: "Alice A." });
    expect(asked("UpdateEntity")).toMatchObject([{ label: "Alice A.", expectedVersion: 1n }]);
    expect(page.html).toContain("The name is changed.");
  });

  it("takes no form from elsewhere, and none that does nothing", async () => {
    const page = await browser.open(paths.entity);
    const form = { action: paths.entity, headers: { "sec-fetch-site": "cross-site" } };
    expect(await browser.send(page, form)).toMatchObject({ status: 403 });
    expect(await change("begin", { do: "toString" })).toMatchObject({ status: 400 });
  });
});

describe("deleting an entity", () => {
  it("wants a recent sign-in", async () => {
    const page = await browser.open(paths.remove);
    browser.cookies.set("tidemark-session", await gateway.auth.signIn({ ageMs: 3_600_000 }));
    expect((await browser.open(paths.remove)).path).toMatch(/^\/sign-in\?next=.*again=1$/);
    expect((await browser.send(page, { action: paths.remove })).status).toBe(403);
    expect(asked("DeleteEntity")).toStrictEqual([]);
  });

  it("goes back to the account", async () => {
    const page = await browser.send(await browser.open(paths.remove), { action: paths.remove });
    const { clients } = gateway.entities;
    const { entities } = await clients.entities.listEntities({}, await atEntities(gateway, email));
    expect([page.path, entities]).toStrictEqual(["/account", []]);
  });
});

describe("a wallet", () => {
  const begin = async (address: string) =>
    browser.send(await browser.open(paths.wallet), { action: paths.wallet, fields: { address, chain: "8453" } });

  it("is linked by a pasted signature, and unlinked", async () => {
    const text = await begin(WALLET.address);
    expect(asked("BeginWalletLink")).toMatchObject([{ kind: 1, address: WALLET.address, chainId: 8453n }]);
    const [, message = ""] = /<pre class="detail sign-text"[^>]*><span[^>]*>([^<]+)</.exec(text.html) ?? [];
    expect(message).toContain("localhost:8080 wants you to sign in with your Ethereum account:");
    const signature = ` ${await WALLET.signMessage({ message: message.replaceAll("&#39;", "'") })}\n`;
    const linked = await browser.send(text, { action: paths.wallet, fields: { signature } });
    expect(linked.html).toContain("The wallet is linked.");
    expect(linked.html).toContain(`<code>${WALLET.address}</code>`);
    const unlinked = await change("unlink");
    expect(unlinked.html).toContain("None is linked.");
    expect(asked("UnlinkWallet")).toMatchObject([{ kind: 1, address: WALLET.address }]);
  });

  it.each(["0x12", "not a signature", "", "0x1"])("isn't linked by %j: a new text is needed", async (signature) => {
    const page = await browser.send(await begin(WALLET.address), { action: paths.wallet, fields: { signature } });
    expect(page).toMatchObject({ status: 422, html: expect.stringContaining("Begin again with a new text.") });
    expect(page.html).toContain(`value="${WALLET.address}"`);
  });
});

describe("the applications of an entity", () => {
  beforeEach(async () => void (await application.tokens(await gateway.auth.signIn({ email }))));

  const hidden = async () => {
    const request = { clientUuids: [CLIENT_ID] };
    const { entities } = gateway.entities.as("gateway");
    const { hiddenEntities } = await entities.getHiddenEntities(request, await atEntities(gateway, email));
    return hiddenEntities.map(({ entityUuid }) => entityUuid).toSorted();
  };

  it("are hidden from and shown to, each by a form, and others stay as they are", async () => {
    const { uuid } = await addEntity(gateway, { type: "organization" }, email);
    const request = { clientUuid: CLIENT_ID, hiddenEntityUuids: [uuid] };
    await gateway.entities.as("gateway").entities.changeHiddenEntities(request, await atEntities(gateway, email));
    expect((await browser.open(paths.entity)).html).toContain('<span class="tag">Sees it');
    const { html } = await change("hide");
    expect(html).toContain("The application no longer sees it.");
    expect(await hidden()).toStrictEqual([uuid, person].toSorted());
    expect((await change("show")).html).toContain("The application sees it.");
    expect(await hidden()).toStrictEqual([uuid]);
  });

  it("are led back to by name: the one that sent the user, or that of the link's sale", async () => {
    const link = '<a class="button secondary" href="https://app.example/"><bdi>Back to Harbour Portal</bdi></a>';
    await browser.open(authorizePath({ prompt: "none" }));
    expect((await browser.open("/account")).html).toContain(link);
    expect((await browser.open(paths.entity)).html).toContain(link);
    await browser.open(`/svc/${STRANGE}`);
    expect((await browser.open("/account")).html).not.toContain("Back to Harbour Portal");
    expect(await browser.open(`/svc/${SALE}/home`)).toMatchObject({
      path: "/account",
      html: expect.stringContaining(link),
    });
  });

  it("are the next step once the identity check is complete, and never somewhere else", async () => {
    await arrive({ setupState: "complete", provider: "review" });
    await application.tokens(await gateway.auth.signIn({ email }));
    browser.cookies.set("tidemark-sender", encodeURIComponent(`${CLIENT_ID} https://evil.example`));
    const { html } = await browser.open(paths.entity);
    expect(html).toContain('<a class="button primary" href="https://app.example/">');
    expect(html).not.toContain("evil.example");
  });

  it("are only those with the user's consent", async () => {
    expect((await change("hide", { client: STRANGE })).status).toBe(400);
    expect(asked("ChangeHiddenEntities")).toHaveLength(0);
  });
});
