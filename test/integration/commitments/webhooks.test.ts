import { randomUUID } from "node:crypto";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Env } from "../../../common/platform/config/env.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import {
  WebhookDeliveryStatus,
  WebhookDisabling,
} from "../../../proto/gen/tidemark/commitments/v1/webhook_service_pb.ts";
import type { CliClients } from "../../../services/cli/cli.ts";
import { commitmentsConfig } from "../../../services/commitments/config.ts";
import { WEBHOOK_TABLES } from "../../../services/commitments/webhooks/endpoint-rows.ts";
import { runCliWith } from "../../support/processes/cli.ts";
import { describeCommitments } from "../../support/processes/commitments-fixture.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../../support/processes/webhook-receiver.ts";
import { SOON } from "../../support/repository/polling.ts";
import { apply, auction, draftSale, openedSale, record, refusal } from "../../support/sales/sale-messages.ts";

const { webhooks: config } = commitmentsConfig(
  new Env({ KEY_ENCRYPTION_KEY: Buffer.alloc(32, 3).toString("base64url"), OUTBOUND_LOOPBACK: "on" }),
);

describeCommitments(
  "webhooks",
  (service) => {
    let receiver: WebhookReceiver;
    beforeAll(async () => {
      receiver = await startWebhookReceiver();
    });
    beforeEach(() => {
      receiver.received.length = 0;
      receiver.answer = (response) => response.writeHead(204).end();
    });
    afterAll(() => receiver.stop());

    /** Adds an endpoint at a path of the receiver. @returns its UUID and secret */
    async function hooked(saleUuid: string, path = "") {
      const created = await service().webhooks.createWebhookEndpoint({ saleUuid, url: receiver.url + path });
      return { saleUuid, endpointUuid: created.endpoint?.endpointUuid ?? "", secret: created.secret };
    }

    async function log(saleUuid: string) {
      return (await service().webhooks.listWebhookDeliveries({ saleUuid })).deliveries;
    }

    async function delivered(saleUuid: string, count: number) {
      const pending = async () =>
        (await log(saleUuid)).filter(({ status }) => status === WebhookDeliveryStatus.DELIVERED).length;
      await expect.poll(pending, SOON).toBe(count);
    }

    const types = () => receiver.received.map(({ event }) => event.type);

    it("send a sale's events, signed, with the public figures", async () => {
      const saleUuid = await draftSale(service());
      const { secret } = await hooked(saleUuid);
      await service().sales.openSale({ saleUuid });
      await delivered(saleUuid, 1);
      await apply(service(), saleUuid, { upserts: [record(1), record(2)] });
      await service().sales.settleSale({ saleUuid, confirmName: "Auction" });
      await delivered(saleUuid, 2);

      expect(types()).toEqual(["sale.opened", "sale.settled"]);
      const [opened, settled] = receiver.received;
      expect(receiver.verified(secret, settled)).toEqual(settled?.event);
      expect(opened?.event.data).toEqual({
        SaleUUID: saleUuid,
        SaleName: "Auction",
        Status: "open",
        Revision: "2",
        TotalCommitmentAmount: "0",
        UniqueCommitmentCount: 0,
        PaymentTokenDecimals: 6,
        ClearingPriceNumerator: "10",
        ClearingPriceDenominator: "1000",
        ClearingPriceMicroUSD: "10000000000000000",
      });
      expect(settled?.event.data).toMatchObject({
        Status: "settled",
        TotalCommitmentAmount: "2000",
        UniqueCommitmentCount: 2,
      });
      expect(opened?.headers["content-type"]).toBe("application/json");
      expect(await log(saleUuid)).toMatchObject([
        { eventType: "sale.settled", eventUuid: settled?.id, attempts: 1, lastHttpStatus: 204 },
        { eventType: "sale.opened", eventUuid: opened?.id, attempts: 1, lastHttpStatus: 204 },
      ]);
    });

    it("can be sent again: one, or all since a time, with the same IDs", async () => {
      const saleUuid = await openedSale(service());
      await service().sales.settleSale({ saleUuid, confirmName: "Auction" });
      // The endpoint is added after the events.
      const endpoint = await hooked(saleUuid);
      const replay = (since: number) =>
        service().webhooks.replayWebhookEvents({
          ...endpoint,
          events: { case: "since", value: timestampFromMs(since) },
        });
      expect(await replay(Date.now() + 60_000)).toMatchObject({ deliveries: 0 });
      expect(await replay(0)).toMatchObject({ deliveries: 2 });
      await delivered(saleUuid, 2);
      const [settled, opened] = await log(saleUuid);
      const value = settled?.eventUuid ?? "";
      await service().webhooks.replayWebhookEvents({ ...endpoint, events: { case: "eventUuid", value } });
      await expect.poll(() => receiver.received.length, SOON).toBe(3);
      expect(receiver.received.map(({ id }) => id).sort()).toEqual([opened?.eventUuid, value, value].sort());
      const unknown = { case: "eventUuid", value: randomUUID() } as const;
      expect(await refusal(service().webhooks.replayWebhookEvents({ ...endpoint, events: unknown }))).toMatchObject({
        code: "not_found",
      });
    });

    it("send a test to one endpoint, which no replay repeats", async () => {
      const saleUuid = await draftSale(service());
      const endpoint = await hooked(saleUuid, "/one");
      await hooked(saleUuid, "/two");
      const { eventUuid } = await service().webhooks.sendTestEvent(endpoint);
      await delivered(saleUuid, 1);
      expect(receiver.received).toMatchObject([{ id: eventUuid, event: { type: "webhook.test" } }]);
      const events = { case: "since", value: timestampFromMs(0) } as const;
      expect(await service().webhooks.replayWebhookEvents({ ...endpoint, events })).toMatchObject({ deliveries: 0 });
    });

    it("are signed with the new and the replaced secret, each shown once", async () => {
      const saleUuid = await draftSale(service());
      const endpoint = await hooked(saleUuid);
      const rotated = await service().webhooks.rotateWebhookSecret(endpoint);
      expect(rotated.secret).not.toBe(endpoint.secret);
      await service().webhooks.sendTestEvent(endpoint);
      await delivered(saleUuid, 1);
      const [received] = receiver.received;
      for (const secret of [endpoint.secret, rotated.secret]) {
        expect(receiver.verified(secret, received)).toEqual(received?.event);
      }
      const { endpoints } = await service().webhooks.listWebhookEndpoints({ saleUuid });
      expect(endpoints).toEqual([rotated.endpoint]);
      expect(endpoints[0]?.previousSecretUntil).toBeDefined();
      const { secret, previous_secret: previous } = await service()
        .database.query.selectFrom("webhook_endpoint")
        .selectAll()
        .where("sale", "=", bytesOfHex(saleUuid))
        .executeTakeFirstOrThrow();
      for (const stored of [secret, previous ?? new Uint8Array()]) {
        for (const text of [endpoint.secret, rotated.secret]) {
          expect(Buffer.from(stored).includes(Buffer.from(text.slice(6), "base64"))).toBe(false);
        }
      }
    });

    it("aren't sent to a disabled endpoint, and afterwards only what somebody sends again", async () => {
      const saleUuid = await openedSale(service());
      const endpoint = await hooked(saleUuid);
      const { endpoint: disabled } = await service().webhooks.setWebhookEndpointEnabled({
        ...endpoint,
        enabled: false,
      });
      expect(disabled).toMatchObject({ disabling: WebhookDisabling.BY_MEMBER });
      await service().sales.settleSale({ saleUuid, confirmName: "Auction" });
      expect(await log(saleUuid)).toEqual([]);
      expect(await refusal(service().webhooks.sendTestEvent(endpoint))).toMatchObject({ code: "failed_precondition" });
      await service().webhooks.setWebhookEndpointEnabled({ ...endpoint, enabled: true });
      const events = { case: "since", value: timestampFromMs(0) } as const;
      expect(await service().webhooks.replayWebhookEvents({ ...endpoint, events })).toMatchObject({ deliveries: 2 });
    });

    it("refuse URLs of other networks, by the name of the field", async () => {
      const saleUuid = await draftSale(service());
      const url = "https://169.254.169.254/latest/meta-data";
      const error = await refusal(service().webhooks.createWebhookEndpoint({ saleUuid, url }));
      expect([error.code, error.violations[0]?.field]).toEqual(["invalid_argument", "url"]);
    });

    it("are at most five a sale, each with another URL", async () => {
      const saleUuid = await draftSale(service());
      for (const path of ["/1", "/2", "/3", "/4", "/5"]) await hooked(saleUuid, path);
      expect(await refusal(hooked(saleUuid, "/5"))).toMatchObject({ code: "already_exists" });
      expect(await refusal(hooked(saleUuid, "/6"))).toMatchObject({ code: "resource_exhausted" });
      const other = await hooked(await draftSale(service()));
      const foreign = { ...other, saleUuid };
      expect(await refusal(service().webhooks.deleteWebhookEndpoint(foreign))).toMatchObject({ code: "not_found" });
      await service().webhooks.deleteWebhookEndpoint(other);
      const { endpoints } = await service().webhooks.listWebhookEndpoints({ saleUuid: other.saleUuid });
      expect(endpoints).toEqual([]);
    });

    it("are served by the operator's command", async () => {
      const saleUuid = await draftSale(service());
      const clients = { webhooks: service().webhooks } as CliClients;
      const run = async (...args: readonly string[]) => {
        const { code, output, errors } = await runCliWith(clients, ["webhook", ...args]);
        expect([args[0], code, errors]).toEqual([args[0], 0, ""]);
        return output;
      };
      expect(await run("create", saleUuid, receiver.url)).toMatch(/whsec_\S{44}/);
      const [{ endpointUuid }] = JSON.parse(await run("list", saleUuid, "--json"));
      const [, event = ""] = /the event (\S+) is on its way/.exec(await run("test", saleUuid, endpointUuid)) ?? [];
      await delivered(saleUuid, 1);
      expect(await run("log", saleUuid)).toContain("delivered");
      expect(await run("replay", saleUuid, endpointUuid, "--event", event)).toBe("1 event will be sent again\n");
      await delivered(saleUuid, 1);
      expect(JSON.parse(await run("log", saleUuid, "--json"))).toMatchObject([{ eventUuid: event }]);
      expect(await run("rotate", saleUuid, endpointUuid)).toMatch(/whsec_\S{44}/);
      expect(await run("disable", saleUuid, endpointUuid)).toContain("disabled");
      expect(await run("enable", saleUuid, endpointUuid)).toContain("enabled");
      expect(await run("delete", saleUuid, endpointUuid)).not.toContain(endpointUuid);
      const both = await runCliWith(clients, ["webhook", "replay", saleUuid, endpointUuid]);
      expect([both.code, both.errors]).toEqual([64, expect.stringContaining("give either --event or --since")]);
    });

    describe("go with their sale", () => {
      const rowsOf = async (saleUuid: string) => {
        const { query } = service().database;
        const counts = WEBHOOK_TABLES.map((table) =>
          query.selectFrom(table).select("sale").where("sale", "=", bytesOfHex(saleUuid)).execute(),
        );
        return (await Promise.all(counts)).flat().length;
      };

      it("when it is withdrawn", async () => {
        const saleUuid = await draftSale(service());
        const endpoint = await hooked(saleUuid);
        await service().sales.openSale({ saleUuid });
        expect(await rowsOf(saleUuid)).toBeGreaterThan(2);
        await service().sales.withdrawSale({ saleUuid, confirmName: auction().name ?? "" });
        expect(await rowsOf(saleUuid)).toBe(0);
        expect(await refusal(hooked(saleUuid))).toMatchObject({ code: "failed_precondition" });
        expect(await refusal(service().webhooks.sendTestEvent(endpoint))).toMatchObject({
          code: "failed_precondition",
        });
      });

      it("when a draft is deleted", async () => {
        const saleUuid = await draftSale(service());
        await service().webhooks.sendTestEvent(await hooked(saleUuid));
        await service().sales.deleteDraft({ saleUuid, confirmName: auction().name ?? "" });
        expect(await rowsOf(saleUuid)).toBe(0);
      });
    });
  },
  { webhooks: config },
);
