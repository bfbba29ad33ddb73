import { randomUUID } from "node:crypto";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  authorizePath,
  CLIENT_ID,
  type FullGateway,
  harbourPortal,
  startFullGateway,
} from "../testing/auth-gateway.ts";
import { addEntity, atEntities } from "../testing/own-entities.ts";
import { PageBrowser, type ShownPage } from "../testing/page-browser.ts";

const AUTHORIZE = authorizePath();
const AWAY = new ConnectError("away", Code.Unavailable);

let gateway: FullGateway;
let browser: PageBrowser;
let email: string;
let person: string;
let organization: string;
beforeAll(async () => {
  gateway = await startFullGateway();
  await harbourPortal(gateway.auth);
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  gateway.entities.faults.reset();
  // Whoever has allowed access once isn't asked again.
  email = `${randomUUID()}@example.org`;
  person = (await addEntity(gateway, {}, email)).uuid;
  organization = (await addEntity(gateway, { type: "organization", label: "<b>Harbour</b>" }, email)).uuid;
  browser = new PageBrowser(gateway.origin);
  browser.cookies.set("tidemark-session", await gateway.auth.signIn({ email }));
});

const asked = (method: string) => gateway.entities.faults.asked(method);
const entitiesOf = () => gateway.entities.as("gateway").entities;

async function hide(uuid: string): Promise<void> {
  const request = { clientUuid: CLIENT_ID, hiddenEntityUuids: [uuid] };
  await entitiesOf().changeHiddenEntities(request, await atEntities(gateway, email));
}

/** The entities that the application doesn't see, in the order of their IDs. */
async function hidden(): Promise<readonly string[]> {
  const request = { clientUuids: [CLIENT_ID] };
  const { hiddenEntities } = await entitiesOf().getHiddenEntities(request, await atEntities(gateway, email));
  return hiddenEntities.map(({ entityUuid }) => entityUuid).toSorted();
}

const decide = (page: ShownPage, decision: string, ticked: readonly string[] = []) =>
  browser.send(page, {
    action: "/oauth/consent",
    fields: { decision, ...Object.fromEntries(ticked.map((uuid) => ["entity", uuid])) },
  });

describe("the entities of a consent page", () => {
  it("are listed, ticked, and escaped", async () => {
    const { html } = await browser.open(AUTHORIZE);
    expect(html).toContain(`name="entity" value="${person}" checked`);
    expect(html).toContain("<bdi>&lt;b&gt;Harbour&lt;/b&gt;</bdi>");
  });

  it("are hidden from the application if they are left out", async () => {
    const answer = await decide(await browser.open(AUTHORIZE), "allow", [person]);
    expect(answer.leftTo).toContain("code=");
    expect(await hidden()).toStrictEqual([organization]);
  });

  it("stay hidden as they were chosen before, also those that the page didn't list", async () => {
    await hide(organization);
    const page = await browser.open(AUTHORIZE);
    expect(page.html).toMatch(new RegExp(`name="entity" value="${organization}">`));
    const added = await addEntity(gateway, { type: "organization", label: "Later" }, email);
    await hide(added.uuid);
    await decide(page, "allow", [person]);
    expect(await hidden()).toStrictEqual([added.uuid, organization].toSorted());
  });

  it("are hidden by an answer in a second tab, too, which gets its code although consent is remembered by then", async () => {
    const [first, second] = [await browser.open(AUTHORIZE), await browser.open(AUTHORIZE)];
    await decide(first, "allow", [person]);
    expect((await decide(second, "allow", [organization])).leftTo).toContain("code=");
    expect(await hidden()).toStrictEqual([person]);
  });

  it("are left as they were by a cancel", async () => {
    await decide(await browser.open(AUTHORIZE), "cancel");
    expect(asked("ChangeHiddenEntities")).toHaveLength(0);
  });
});

describe("a consent page without the entities service", () => {
  it("says so, and allows access without a change of what is hidden", async () => {
    gateway.entities.faults.failures.set("ListEntities", AWAY);
    const page = await browser.open(AUTHORIZE);
    expect(page.html).toContain("Your entities can’t be shown now.");
    expect((await decide(page, "allow")).leftTo).toContain("code=");
    expect(asked("ChangeHiddenEntities")).toHaveLength(0);
  });

  it("gives no code if a choice can't be stored", async () => {
    const page = await browser.open(AUTHORIZE);
    const before = gateway.auth.faults.asked("DecideConsent").length;
    gateway.entities.faults.failures.set("ChangeHiddenEntities", AWAY);
    const answer = await decide(page, "allow", [person]);
    expect(answer).toMatchObject({ status: 422, leftTo: undefined, html: expect.stringContaining("We can’t answer") });
    expect(answer.html).toMatch(new RegExp(`value="${person}" checked`));
    expect(gateway.auth.faults.asked("DecideConsent")).toHaveLength(before);
  });
});
