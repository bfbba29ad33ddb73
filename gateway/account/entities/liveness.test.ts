import { Code, ConnectError } from "@connectrpc/connect";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";

import { type AuthGateway, startAuthGateway } from "../../testing/auth-gateway.ts";
import { SALE } from "../../testing/fake-commitments.ts";
import { FakeOwnEntities } from "../../testing/fake-own-entities.ts";
import { PageBrowser } from "../../testing/page-browser.ts";

const ENTITY = "7c1e3f4a-52d0-4b8e-9a61-2f0c5d7e8b93";
const PAGE = `/account/liveness?sale=${SALE}&entity=${ENTITY}`;
const FORM = { action: "/account/liveness" };

const own = new FakeOwnEntities();
let gateway: AuthGateway;
let browser: PageBrowser;
beforeAll(async () => {
  gateway = await startAuthGateway({}, undefined, own.clients);
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  own.failures.clear();
  own.calls.length = 0;
  browser = new PageBrowser(gateway.origin);
  browser.cookies.set("tidemark-session", await gateway.auth.signIn());
});

it("takes the confirmation, and says how to go on", async () => {
  const done = await browser.send(await browser.open(PAGE), FORM);
  expect(own.asked("ConfirmLiveness")).toMatchObject([{ saleUuid: SALE, entityUuid: ENTITY }]);
  expect(done).toMatchObject({ status: 200, html: expect.stringContaining("try to buy again") });
});

it.each([{}, { ageMs: 3_600_000 }])("leads to a recent sign-in and back (%j)", async (session) => {
  browser.cookies.clear();
  if ("ageMs" in session) browser.cookies.set("tidemark-session", await gateway.auth.signIn(session));
  const asked = await browser.open(PAGE);
  expect(asked.path).toMatch(/^\/sign-in\?/);
  const code = await browser.send(asked, { action: "/sign-in", fields: { email: "alice@example.org" } });
  const back = await browser.send(code, { action: "/sign-in/code", fields: { code: gateway.auth.mailedCode() } });
  expect([back.path, back.status]).toStrictEqual([PAGE, 200]);
});

it("takes no confirmation without a recent sign-in or from elsewhere", async () => {
  const page = await browser.open(PAGE);
  const elsewhere = { ...FORM, headers: { "sec-fetch-site": "cross-site" } };
  expect((await browser.send(page, elsewhere)).status).toBe(403);
  browser.cookies.set("tidemark-session", await gateway.auth.signIn({ ageMs: 3_600_000 }));
  expect((await browser.send(page, FORM)).status).toBe(403);
  expect(own.asked("ConfirmLiveness")).toStrictEqual([]);
});

it.each(["", `?sale=${SALE}`, `?sale=${SALE}&entity=x`, `?sale=%00&entity=${ENTITY}`])(
  "says that a link with %j is incomplete",
  async (query) => {
    const page = await browser.open(`/account/liveness${query}`);
    expect(page).toMatchObject({ status: 400, html: expect.stringContaining("This link is incomplete") });
  },
);

it.each([
  [Code.NotFound, 404, "isn’t for your account"],
  [Code.FailedPrecondition, 409, "can’t be confirmed here"],
])("says what to do after the refusal %i", async (code, status, text) => {
  own.failures.set("ConfirmLiveness", new ConnectError("no", code));
  const page = await browser.send(await browser.open(PAGE), FORM);
  expect(page).toMatchObject({ status, html: expect.stringContaining(text) });
});
