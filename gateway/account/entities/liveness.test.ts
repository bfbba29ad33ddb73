import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { Tenancy } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { ensureSaleEntity } from "../../../services/entities/entities/sale-entities-store.ts";
import { VENDOR_SETTINGS } from "../../../services/entities/testing/vendor.ts";
import { USER } from "../../../test/support/processes/auth-in-process.ts";
import { type FullGateway, harbourPortal, startFullGateway } from "../../testing/auth-gateway.ts";
import { SALE } from "../../testing/fake-commitments.ts";
import { harbourAuction } from "../../testing/founder-site.ts";
import { addEntity } from "../../testing/own-entities.ts";
import { PageBrowser } from "../../testing/page-browser.ts";

const STRANGE = "7c1e3f4a-52d0-4b8e-9a61-2f0c5d7e8b93";
const FORM = { action: "/account/liveness" };

let gateway: FullGateway;
let browser: PageBrowser;
/** The entity's ID in the sale. */
let entity: string;
let address: string;
beforeAll(async () => {
  gateway = await startFullGateway();
  const draft = { saleUuid: SALE, tenancy: Tenancy.TEST, definition: harbourAuction() };
  await gateway.sales.as("operator").sales.createSale(draft);
  const { context } = gateway.entities;
  entity = (await ensureSaleEntity(context, SALE, await addEntity(gateway), USER)).publicUuid;
  address = addressOf(entity);
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  gateway.entities.faults.reset();
  browser = new PageBrowser(gateway.origin);
  browser.cookies.set("tidemark-session", await gateway.auth.signIn());
});

const addressOf = (uuid: string) => `/account/liveness?sale=${SALE}&entity=${uuid}`;
const asked = () => gateway.entities.faults.asked("ConfirmLiveness");

it("takes the confirmation, and says how to go on", async () => {
  const done = await browser.send(await browser.open(address), FORM);
  expect(asked()).toMatchObject([{ saleUuid: SALE, entityUuid: entity }]);
  expect(done).toMatchObject({ status: 200, html: expect.stringContaining("try to buy again") });
});

it("leads back to an application of the sale", async () => {
  const application = await harbourPortal(gateway.auth);
  await application.tokens(await gateway.auth.signIn());
  browser.cookies.set("tidemark-sender", encodeURIComponent(`${STRANGE} `));
  const done = await browser.send(await browser.open(address), FORM);
  expect(done.html).toContain('<a class="button primary" href="https://app.example/"><bdi>Back to Harbour Portal');
});

it.each([{}, { ageMs: 3_600_000 }])("leads to a recent sign-in and back (%j)", async (session) => {
  browser.cookies.clear();
  if ("ageMs" in session) browser.cookies.set("tidemark-session", await gateway.auth.signIn(session));
  const asked = await browser.open(address);
  expect(asked.path).toMatch(/^\/sign-in\?/);
  const code = await browser.send(asked, { action: "/sign-in", fields: { email: "alice@example.org" } });
  const back = await browser.send(code, { action: "/sign-in/code", fields: { code: gateway.auth.mailedCode() } });
  expect([back.path, back.status]).toStrictEqual([address, 200]);
});

it("takes no confirmation without a recent sign-in or from elsewhere", async () => {
  const page = await browser.open(address);
  const elsewhere = { ...FORM, headers: { "sec-fetch-site": "cross-site" } };
  expect((await browser.send(page, elsewhere)).status).toBe(403);
  browser.cookies.set("tidemark-session", await gateway.auth.signIn({ ageMs: 3_600_000 }));
  expect((await browser.send(page, FORM)).status).toBe(403);
  expect(asked()).toStrictEqual([]);
});

it.each(["", `?sale=${SALE}`, `?sale=${SALE}&entity=x`, `?sale=%00&entity=${STRANGE}`])(
  "says that a link with %j is incomplete",
  async (query) => {
    const page = await browser.open(`/account/liveness${query}`);
    expect(page).toMatchObject({ status: 400, html: expect.stringContaining("This link is incomplete") });
  },
);

it("says that the entity is somebody else's", async () => {
  const page = await browser.send(await browser.open(addressOf(STRANGE)), FORM);
  expect(page).toMatchObject({ status: 404, html: expect.stringContaining("isn’t for your account") });
});

it("says that a vendor asks, where one does", async () => {
  const other = await startFullGateway(VENDOR_SETTINGS);
  const theirs = new PageBrowser(other.origin);
  theirs.cookies.set("tidemark-session", await other.auth.signIn());
  const page = await theirs.send(await theirs.open(address), FORM);
  await other.stop();
  expect(page).toMatchObject({ status: 409, html: expect.stringContaining("can’t be confirmed here") });
});
