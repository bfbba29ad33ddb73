import { randomUUID } from "node:crypto";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { EntityType } from "../../proto/gen/tidemark/entities/v1/entity_pb.ts";

import { type AuthGateway, authorizePath, CLIENT_ID, startAuthGateway } from "../testing/auth-gateway.ts";
import { FakeOwnEntities, fakeEntity, OWN_ORGANIZATION, OWN_PERSON } from "../testing/fake-own-entities.ts";
import { PageBrowser, type ShownPage } from "../testing/page-browser.ts";

const AUTHORIZE = authorizePath();
const AWAY = new ConnectError("away", Code.Unavailable);

let own: FakeOwnEntities;
let gateway: AuthGateway;
let browser: PageBrowser;
beforeAll(async () => {
  own = new FakeOwnEntities();
  gateway = await startAuthGateway({}, undefined, own.clients);
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  own.entities = [
    fakeEntity(),
    fakeEntity({ uuid: OWN_ORGANIZATION, type: EntityType.ORGANIZATION, label: "<b>Harbour</b>" }),
  ];
  own.calls.length = 0;
  own.failures.clear();
  own.hidden.clear();
  browser = new PageBrowser(gateway.origin);
  // Whoever has allowed access once isn't asked again.
  browser.cookies.set("tidemark-session", await gateway.auth.signIn({ email: `${randomUUID()}@example.org` }));
});

const decide = (page: ShownPage, decision: string, ticked: readonly string[] = []) =>
  browser.send(page, {
    action: "/oauth/consent",
    fields: { decision, ...Object.fromEntries(ticked.map((uuid) => ["entity", uuid])) },
  });

describe("the entities of a consent page", () => {
  it("are listed, ticked, and escaped", async () => {
    const { html } = await browser.open(AUTHORIZE);
    expect(html).toContain(`name="entity" value="${OWN_PERSON}" checked`);
    expect(html).toContain("<bdi>&lt;b&gt;Harbour&lt;/b&gt;</bdi>");
  });

  it("are hidden from the application if they are left out", async () => {
    const answer = await decide(await browser.open(AUTHORIZE), "allow", [OWN_PERSON]);
    expect(answer.leftTo).toContain("code=");
    expect(own.hidden.get(CLIENT_ID)).toStrictEqual([OWN_ORGANIZATION]);
  });

  it("stay hidden as they were chosen before, also those that the page didn't list", async () => {
    own.hidden.set(CLIENT_ID, [OWN_ORGANIZATION]);
    const page = await browser.open(AUTHORIZE);
    expect(page.html).toMatch(new RegExp(`name="entity" value="${OWN_ORGANIZATION}">`));
    const added = fakeEntity({ uuid: "31313131-3131-4131-8131-313131313133", label: "Later" });
    own.entities = [...own.entities.slice(1), added];
    own.hidden.set(CLIENT_ID, [added.uuid]);
    await decide(page, "allow");
    expect(own.hidden.get(CLIENT_ID)).toStrictEqual([added.uuid, OWN_ORGANIZATION]);
  });

  it("are left as they were by a cancel", async () => {
    await decide(await browser.open(AUTHORIZE), "cancel");
    expect(own.asked("ChangeHiddenEntities")).toHaveLength(0);
  });
});

describe("a consent page without the entities service", () => {
  it("says so, and allows access without a change of what is hidden", async () => {
    own.failures.set("ListEntities", AWAY);
    const page = await browser.open(AUTHORIZE);
    expect(page.html).toContain("Your entities can’t be shown now.");
    expect((await decide(page, "allow")).leftTo).toContain("code=");
    expect(own.asked("ChangeHiddenEntities")).toHaveLength(0);
  });

  it("gives no code if a choice can't be stored", async () => {
    const page = await browser.open(AUTHORIZE);
    const before = gateway.auth.faults.asked("DecideConsent").length;
    own.failures.set("ChangeHiddenEntities", AWAY);
    const answer = await decide(page, "allow", [OWN_PERSON]);
    expect([answer.status, answer.leftTo]).toStrictEqual([503, undefined]);
    expect(gateway.auth.faults.asked("DecideConsent")).toHaveLength(before);
  });
});
