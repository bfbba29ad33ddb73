import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  WebhookDeliveryStatus,
  WebhookDisabling,
  type WebhookEndpointSchema,
} from "../../../proto/gen/tidemark/commitments/v1/webhook_service_pb.ts";
import { SALE } from "../../testing/fake-commitments.ts";
import { FounderSite } from "../../testing/founder-site.ts";
import type { PageBrowser } from "../../testing/page-browser.ts";
import { salePaths } from "../base/dashboard-paths.ts";

const { webhooks: action, sale: salePath } = salePaths(SALE);
const URL = "https://founder.example/hook";
const SECRET = /whsec_[\w+/=]{44}/;
const UUID = "abababab-abab-4bab-8bab-abababababab";
const HOSTILE = `https://a.example/"><script>alert(1)</script>`;
const DAY_2 = timestampFromMs(Date.UTC(2026, 0, 2, 1));

let site: FounderSite;
let browser: PageBrowser;
beforeEach(async () => {
  site = await FounderSite.start();
  browser = site.browser();
});
afterEach(() => site.stop());

async function send(fields: Readonly<Record<string, string>>) {
  return browser.send(await browser.open(action), { action, fields });
}

const operator = () => site.gateway.sales.as("operator").webhooks;
const add = async (url = URL) => {
  const { endpoint } = await operator().createWebhookEndpoint({ saleUuid: SALE, url });
  return endpoint?.endpointUuid ?? "";
};
const stored = async () => (await operator().listWebhookEndpoints({ saleUuid: SALE })).endpoints;
const sent = async () => (await operator().listWebhookDeliveries({ saleUuid: SALE })).deliveries;

describe("the webhooks of a sale", () => {
  it("are reached from the sale's page, and explained in the guide", async () => {
    expect((await browser.open(salePath)).html).toContain(`href="${action}"`);
    const { html } = await browser.open(action);
    expect(html).toContain('href="/dashboard/guide/webhooks"');
    expect(html).toContain("There is none yet.");
    expect((await browser.open("/dashboard/guide/webhooks")).html).toContain("Standard Webhooks");
  });

  it("get a secret that is shown once", async () => {
    const added = await send({ do: "add", url: ` ${URL} ` });
    const [first] = SECRET.exec(added.html) ?? expect.fail(added.html);
    expect(await stored()).toMatchObject([{ url: URL }]);
    expect((await browser.open(action)).html).not.toMatch(SECRET);
    const [second] = SECRET.exec((await send({ do: "rotate" })).html) ?? expect.fail();
    expect(second).not.toBe(first);
  });

  it("show their state, and nothing that somebody entered as code", async () => {
    const endpoint = (state: MessageInitShape<typeof WebhookEndpointSchema>) => ({ endpointUuid: UUID, ...state });
    // The service stores no such URL, and calls nobody here.
    const endpoints = [
      endpoint({ url: HOSTILE, failingSince: DAY_2 }),
      endpoint({ url: URL, disabledAt: DAY_2, disabling: WebhookDisabling.FAILURES }),
    ];
    site.gateway.sales.faults.answers.set("ListWebhookEndpoints", { endpoints });
    const { html } = await browser.open(action);
    expect(html).toContain("Failing.");
    expect(html).toContain("Disabled, as all attempts have failed for too long.");
    expect(html).toContain("&lt;script&gt;");
    expect(html).not.toContain("<script>alert");
  });

  it("are disabled, enabled and deleted", async () => {
    await add();
    expect((await send({ do: "disable" })).html).toContain("The webhook is disabled.");
    expect(await stored()).toMatchObject([{ disabledAt: expect.anything() }]);
    expect((await send({ do: "enable" })).html).toContain("The webhook is enabled.");
    expect((await stored())[0]?.disabledAt).toBeUndefined();
    expect((await send({ do: "delete" })).html).toContain("The webhook is deleted.");
    expect(await stored()).toEqual([]);
  });

  it("are sent a test event, and events again", async () => {
    const endpointUuid = await add();
    expect((await send({ do: "test" })).html).toContain("The test event is on its way.");
    const [{ eventUuid } = expect.fail()] = await sent();
    const again = await send({ do: "replay-event", event: eventUuid });
    expect(again.html).toContain("The event is sent again.");
    const since = await send({ do: "replay-since", since: "2026-01-02T01:00" });
    expect(since.html).toContain("The events since then are sent again.");
    expect(site.gateway.sales.faults.asked("ReplayWebhookEvents")).toMatchObject([
      { endpointUuid, events: { case: "since", value: DAY_2 } },
      { endpointUuid, events: { case: "eventUuid", value: eventUuid } },
    ]);
  });

  it("say what is wrong beside the field", async () => {
    const refused = await send({ do: "add", url: `http://a.example/"><script>alert(1)</script>` });
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('id="url-error">');
    expect(refused.html).not.toContain("<script>alert");
    expect(await stored()).toEqual([]);
    await add();
    const late = await send({ do: "replay-since", since: "yesterday" });
    const [{ endpointUuid } = expect.fail()] = await stored();
    expect(late.html).toContain(`id="since-${endpointUuid}-error">Write a date and time in UTC`);
    expect(await sent()).toEqual([]);
  });

  it("say how many a sale may have", async () => {
    for (let count = 0; count < 5; count += 1) await add(`${URL}/${count}`);
    expect((await send({ do: "add", url: URL })).html).toContain("A sale may have 5 webhooks at most.");
  });

  it("have a log with event, attempt, answer, time and next attempt", async () => {
    const endpointUuid = await add();
    const event = { endpointUuid, eventUuid: UUID, eventType: "sale.opened", eventAt: DAY_2, lastAttemptAt: DAY_2 };
    // Attempts happen over days, and fill more than a page.
    site.gateway.sales.faults.answers.set("ListWebhookDeliveries", {
      nextPageToken: "older",
      deliveries: [
        {
          ...event,
          status: WebhookDeliveryStatus.PENDING,
          attempts: 3,
          lastFailure: "founder.example can't be reached, or has no valid certificate",
          nextAttemptAt: timestampFromMs(Date.UTC(2026, 0, 2, 2)),
        },
        { ...event, status: WebhookDeliveryStatus.GIVEN_UP, attempts: 14, lastHttpStatus: 500 },
      ],
    });
    const { html } = await browser.open(action);
    for (const text of ["sale.opened", "Failed, tried again.", "<td>3</td>", "has no valid certificate", "02:00 UTC"]) {
      expect(html).toContain(text);
    }
    for (const text of ["Given up.", "HTTP 500", `${action}?before=older`]) expect(html).toContain(text);
  });

  it("say so where the installation has no key for their secrets", async () => {
    const failure = new ConnectError("no KEY_ENCRYPTION_KEY", Code.FailedPrecondition);
    site.gateway.sales.faults.failures.set("ListWebhookEndpoints", failure);
    const page = await browser.open(action);
    expect([page.status, page.html]).toEqual([409, expect.stringContaining("isn’t set up for webhooks")]);
  });

  it("can't be changed by a form of another page", async () => {
    const form = await browser.open(action);
    const headers = { "sec-fetch-site": "cross-site" };
    expect((await browser.send(form, { action, headers, fields: { do: "add", url: URL } })).status).toBe(403);
    expect(await stored()).toEqual([]);
  });
});
