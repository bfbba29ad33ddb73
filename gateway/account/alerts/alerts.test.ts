import { randomUUID } from "node:crypto";
import { Code, ConnectError } from "@connectrpc/connect";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { bytesOfHex, messageBytes } from "../../../common/platform/encoding/hex.ts";
import { SaleStage, SaleStatus, Tenancy } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { alertToken } from "../../../services/entities/base/alert-token.ts";
import { auctionPricing } from "../../../test/support/sales/sale-messages.ts";
import { type FullGateway, harbourPortal, startFullGateway } from "../../testing/auth-gateway.ts";
import { SALE, saleAt } from "../../testing/fake-commitments.ts";
import { harbourAuction } from "../../testing/founder-site.ts";
import { addEntity } from "../../testing/own-entities.ts";
import { PageBrowser } from "../../testing/page-browser.ts";

const STOP = "/account/alerts/stop";

let gateway: FullGateway;
let browser: PageBrowser;
let email: string;
beforeAll(async () => {
  gateway = await startFullGateway();
  const operator = gateway.sales.as("operator");
  const definition = harbourAuction({ pricing: auctionPricing({ floorTicks: "5" }) });
  await operator.sales.createSale({ saleUuid: SALE, tenancy: Tenancy.TEST, definition });
  await harbourPortal(gateway.auth);
  await operator.sales.openSale({ saleUuid: SALE, overrideConfirmName: definition.name ?? "" });
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  gateway.entities.faults.reset();
  gateway.commitments.sales.set(SALE, saleAt(1n));
  email = `${randomUUID()}@example.org`;
  const { uuid } = await addEntity(gateway, {}, email);
  await bind(uuid);
  browser = new PageBrowser(gateway.origin);
  browser.cookies.set("tidemark-session", await gateway.auth.signIn({ email }));
});

const database = () => gateway.entities.context.database;

/** Gives an entity the one wallet of the sale, as a permit does. */
async function bind(entityUuid: string): Promise<void> {
  const wallet = messageBytes(privateKeyToAccount(`0x${"0b".repeat(32)}`).address.slice(2));
  const times = { bound_at_ms: 1n, permit_expires_at_ms: 2n, proved_at_ms: null, chain_id: 0n };
  const row = { sale: bytesOfHex(SALE), wallet, kind: "evm" as const, entity: bytesOfHex(entityUuid), ...times };
  await database().write(async (transaction) => {
    for (const table of ["sale_wallet", "alert_subscription", "alert_sale"] as const) {
      await transaction.deleteFrom(table).execute();
    }
    await transaction.insertInto("sale_wallet").values(row).execute();
  });
}

/** The reasons that are ticked on the account's page; undefined where it has no form. */
async function ticked(): Promise<readonly string[] | undefined> {
  const { html } = await browser.open("/account");
  if (!html.includes('action="/account/alerts"')) return undefined;
  return Array.from(html.matchAll(/name="(\w+)" value="yes" checked/g), ([, reason]) => reason ?? "");
}

const choose = async (...reasons: string[]) =>
  browser.send(await browser.open("/account"), {
    action: "/account/alerts",
    fields: Object.fromEntries(reasons.map((reason) => [reason, "yes"])),
  });

/** The token of the mails that the person gets. */
async function token(): Promise<string> {
  const { alert } = await database().read((query) =>
    query.selectFrom("alert_subscription").select("alert").executeTakeFirstOrThrow(),
  );
  return alertToken(gateway.entities.context.derivedKeys, Buffer.from(alert).toString("hex"));
}

describe("the account", () => {
  it("asks for mails about a sale, and for none unless a person wants them", async () => {
    expect(await ticked()).toEqual([]);
    const { html } = await choose("position", "settled");
    expect(html).toContain("Your choice of e-mails about the sale is saved.");
    expect(await ticked()).toEqual(["position", "settled"]);
    await choose();
    expect(await ticked()).toEqual([]);
  });

  it("offers none in a sale that is settled, and lets those that were asked for be ended", async () => {
    await choose("settled");
    const settled = { ...saleAt(1n), position: { status: SaleStatus.SETTLED, stage: SaleStage.DONE } };
    gateway.commitments.sales.set(SALE, settled);
    expect(await ticked()).toEqual(["settled"]);
    await choose();
    expect(await ticked()).toBeUndefined();
  });

  it("offers none where the entities service is of a version without them", async () => {
    gateway.entities.faults.failures.set("ListAlerts", new ConnectError("unknown", Code.Unimplemented));
    expect(await ticked()).toBeUndefined();
  });

  it("has them in the file of a person's data", async () => {
    await choose("closing");
    const { html } = await browser.open("/account/data.json");
    expect(JSON.parse(html).Alerts).toEqual([{ SaleUUID: SALE, Reasons: ["closing"] }]);
  });
});

describe("the link of a mail", () => {
  const post = (query: string, init: RequestInit = {}) =>
    fetch(`${gateway.origin}${STOP}${query}`, { method: "POST", redirect: "manual", ...init });

  it("changes nothing by itself, and ends the mails by its button", async () => {
    await choose("position");
    const stranger = new PageBrowser(gateway.origin);
    const page = await stranger.open(`${STOP}?token=${await token()}`);
    expect(page.html).toContain("<h1>No more e-mails about this sale?</h1>");
    expect(await ticked()).toEqual(["position"]);
    const answer = await post(`?token=${await token()}`, {
      body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }),
    });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain("These e-mails have ended");
    expect(await ticked()).toEqual([]);
  });

  it("is posted to by mail programs, in either kind of form, without a cookie and again", async () => {
    await choose("position");
    const form = new FormData();
    form.set("List-Unsubscribe", "One-Click");
    for (let time = 0; time < 2; time++) {
      const answer = await post(`?token=${await token()}`, { body: form, headers: { Origin: "https://mail.example" } });
      expect([answer.status, answer.headers.get("location")]).toEqual([200, null]);
    }
    expect(await ticked()).toEqual([]);
  });

  it.each(["", "?token=x", `?token=${"t".repeat(43)}`])("is refused if no mail has it: %s", async (query) => {
    await choose("position");
    const answer = await post(query);
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain("This link isn’t complete");
    expect(await ticked()).toEqual(["position"]);
  });

  it("says when it can't be followed now", async () => {
    await choose("position");
    gateway.entities.faults.failures.set("StopAlerts", new ConnectError("away", Code.Unavailable));
    expect((await post(`?token=${await token()}`)).status).toBe(503);
  });
});
