import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { invalidArgument } from "../../../common/platform/errors/service-error.ts";
import { toConnectError } from "../../../common/platform/rpc/errors.ts";
import {
  WebhookDeliveryStatus,
  WebhookDisabling,
} from "../../../proto/gen/tidemark/commitments/v1/webhook_service_pb.ts";
import { SALE } from "../../testing/fake-commitments.ts";
import { ENDPOINT, EVENT, fakeDelivery, fakeEndpoint, WEBHOOK_SECRET } from "../../testing/fake-webhooks.ts";
import type { PageBrowser } from "../../testing/page-browser.ts";
import { TakingPartSite } from "../../testing/taking-part-site.ts";
import { salePaths } from "../base/dashboard-paths.ts";

const { webhooks: action, sale: salePath } = salePaths(SALE);
const HOSTILE = `https://a.example/"><script>alert(1)</script>`;
const DAY_2 = timestampFromMs(Date.UTC(2026, 0, 2, 1));

let site: TakingPartSite;
let browser: PageBrowser;
beforeEach(async () => {
  site = await TakingPartSite.start();
  browser = site.browser();
});
afterEach(() => site.gateway.stop());

async function send(fields: Readonly<Record<string, string>>) {
  return browser.send(await browser.open(action), { action, fields });
}

describe("the webhooks of a sale", () => {
  it("are reached from the sale's page, and explained in the guide", async () => {
    expect((await browser.open(salePath)).html).toContain(`href="${action}"`);
    const { html } = await browser.open(action);
    expect(html).toContain('href="/dashboard/guide/webhooks"');
    expect(html).toContain("There is none yet.");
    expect((await browser.open("/dashboard/guide/webhooks")).html).toContain("Standard Webhooks");
  });

  it("get a secret that is shown once", async () => {
    const added = await send({ do: "add", url: " https://founder.example/hook " });
    expect(added.html).toContain(WEBHOOK_SECRET);
    expect(site.webhooks.changes).toEqual([["create", { url: "https://founder.example/hook" }]]);
    expect((await browser.open(action)).html).not.toContain(WEBHOOK_SECRET);
    expect((await send({ do: "rotate" })).html).toContain(WEBHOOK_SECRET);
  });

  it("show their state, and nothing that somebody entered as code", async () => {
    site.webhooks.endpoints = [
      fakeEndpoint({ url: HOSTILE, failingSince: DAY_2 }),
      fakeEndpoint({ disabledAt: DAY_2, disabling: WebhookDisabling.FAILURES }),
    ];
    const { html } = await browser.open(action);
    expect(html).toContain("Failing.");
    expect(html).toContain("Disabled, as all attempts have failed for too long.");
    expect(html).toContain("&lt;script&gt;");
    expect(html).not.toContain("<script>alert");
  });

  it.each([
    [{ do: "test" }, ["test", { endpointUuid: ENDPOINT }], "The test event is on its way."],
    [{ do: "disable" }, ["enable", { endpointUuid: ENDPOINT, enabled: false }], "The webhook is disabled."],
    [{ do: "enable" }, ["enable", { endpointUuid: ENDPOINT, enabled: true }], "The webhook is enabled."],
    [{ do: "delete" }, ["delete", { endpointUuid: ENDPOINT }], "The webhook is deleted."],
    [
      { do: "replay-event", event: EVENT },
      ["replay", { endpointUuid: ENDPOINT, eventUuid: EVENT }],
      "The event is sent again.",
    ],
    [
      { do: "replay-since", since: "2026-01-02T01:00" },
      ["replay", { endpointUuid: ENDPOINT, since: DAY_2 }],
      "The events since then are sent again.",
    ],
  ])("take the step %j", async (fields, change, text) => {
    site.webhooks.endpoints = [fakeEndpoint()];
    const page = await send(fields);
    expect(site.webhooks.changes).toMatchObject([change]);
    expect(page.html).toContain(text);
  });

  it("say what is wrong beside the field", async () => {
    const problem = invalidArgument([{ field: "url", rule: "webhook.url", message: "must begin with https://" }]);
    site.webhooks.refusal = toConnectError(problem, () => undefined);
    const refused = await send({ do: "add", url: HOSTILE });
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('id="url-error">Must begin with https://</p>');
    expect(refused.html).not.toContain("<script>alert");
    site.webhooks.refusal = new ConnectError("a sale may have 5 webhooks at most", Code.ResourceExhausted);
    expect((await send({ do: "add", url: "https://a.example/" })).html).toContain(
      "A sale may have 5 webhooks at most.",
    );
    site.webhooks.refusal = undefined;
    site.webhooks.endpoints = [fakeEndpoint()];
    const late = await send({ do: "replay-since", since: "yesterday" });
    expect(late.html).toContain(`id="since-${ENDPOINT}-error">Write a date and time in UTC`);
    expect(site.webhooks.changes).toEqual([]);
  });

  it("have a log with event, attempt, answer, time and next attempt", async () => {
    site.webhooks.endpoints = [fakeEndpoint()];
    site.webhooks.nextPageToken = "older";
    site.webhooks.deliveries = [
      fakeDelivery({
        status: WebhookDeliveryStatus.PENDING,
        attempts: 3,
        lastAttemptAt: DAY_2,
        lastFailure: "founder.example can't be reached, or has no valid certificate",
        nextAttemptAt: timestampFromMs(Date.UTC(2026, 0, 2, 2)),
      }),
      fakeDelivery({ status: WebhookDeliveryStatus.GIVEN_UP, attempts: 14, lastAttemptAt: DAY_2, lastHttpStatus: 500 }),
    ];
    const { html } = await browser.open(action);
    for (const text of ["sale.opened", "Failed, tried again.", "<td>3</td>", "has no valid certificate", "02:00 UTC"]) {
      expect(html).toContain(text);
    }
    for (const text of ["Given up.", "HTTP 500", `${action}?before=older`]) expect(html).toContain(text);
  });

  it("say so where the installation has no key for their secrets", async () => {
    site.webhooks.unavailable = new ConnectError("no KEY_ENCRYPTION_KEY", Code.FailedPrecondition);
    const page = await browser.open(action);
    expect([page.status, page.html]).toEqual([409, expect.stringContaining("isn’t set up for webhooks")]);
  });

  it("can't be changed by a form of another page", async () => {
    const form = await browser.open(action);
    const headers = { "sec-fetch-site": "cross-site" };
    expect((await browser.send(form, { action, headers })).status).toBe(403);
    expect(site.webhooks.changes).toEqual([]);
  });
});
