import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import {
  type WebhookDelivery,
  WebhookDeliverySchema,
} from "../../../proto/gen/tidemark/commitments/v1/webhook_service_pb.ts";
import { allPages, PAGE_SIZE } from "../base/all-pages.ts";
import type { CliContext } from "../base/cli-context.ts";
import { UsageError } from "../base/cli-error.ts";
import type { Command, CommandInput } from "../base/command.ts";
import { pointInTime } from "../input/point-in-time.ts";
import { counted } from "../output/counted.ts";
import { messageJson } from "../output/message-json.ts";
import { paintFor } from "../output/paint.ts";
import { write } from "../output/write.ts";
import { deliveryTable } from "./webhook-text.ts";

export const webhookTest: Command = {
  name: "webhook test",
  positionals: ["SALE-UUID", "ENDPOINT-UUID"],
  summary: "send a test event to a webhook",
  options: {},
  async run({ positionals: [saleUuid = "", endpointUuid = ""] }, { webhooks, output, signal }) {
    const { eventUuid } = await webhooks.sendTestEvent({ saleUuid, endpointUuid }, { signal });
    await write(output, `the event ${eventUuid} is on its way; webhook log shows its answer\n`);
  },
};

export const webhookReplay: Command = {
  name: "webhook replay",
  positionals: ["SALE-UUID", "ENDPOINT-UUID"],
  summary: "send events to a webhook again: one, or all since a given time",
  details: `Events keep their webhook-id, so that receivers recognise those that they have had. Tests aren't sent again with the others.`,
  options: {
    event: { type: "string", value: "UUID", help: "only this event, by its ID in webhook log" },
    since: {
      type: "string",
      value: "TIME",
      help: "a time such as 2026-01-31T12:00:00Z, or a duration before now: 30m, 2h, 1d",
    },
  },
  flags: { event_uuid: ["event"], since: ["since"] },
  async run(input, { webhooks, output, signal }) {
    const [saleUuid = "", endpointUuid = ""] = input.positionals;
    const events = replayedEvents(input, Date.now());
    const { deliveries } = await webhooks.replayWebhookEvents({ saleUuid, endpointUuid, events }, { signal });
    await write(output, `${counted(BigInt(deliveries), "event")} will be sent again\n`);
  },
};

/** @throws UsageError unless exactly one of the two options is given */
function replayedEvents(input: CommandInput, nowMillis: number) {
  const [eventUuid, since] = [input.text("event"), input.text("since")];
  if ((eventUuid === undefined) === (since === undefined)) throw new UsageError("give either --event or --since");
  if (eventUuid !== undefined) return { case: "eventUuid", value: eventUuid } as const;
  const time = pointInTime("since", since ?? "", (age) => nowMillis - age);
  return { case: "since", value: timestampFromMs(time) } as const;
}

export const webhookLog: Command = {
  name: "webhook log",
  positionals: ["SALE-UUID"],
  summary: "list what was sent to a sale's webhooks and what waits, the latest event first",
  options: { json: { type: "boolean", help: "as a JSON list for programs" } },
  async run(input, context) {
    const [saleUuid = ""] = input.positionals;
    const deliveries = await Array.fromAsync(allDeliveries(saleUuid, context));
    const text = input.flag("json")
      ? JSON.stringify(
          deliveries.map((delivery) => messageJson(WebhookDeliverySchema, delivery)),
          null,
          2,
        )
      : deliveryTable(deliveries, paintFor(context.output));
    await write(context.output, `${text}\n`);
  },
};

function allDeliveries(saleUuid: string, { webhooks, signal }: CliContext): AsyncIterable<WebhookDelivery> {
  return allPages(async (pageToken) => {
    const request = { saleUuid, pageSize: PAGE_SIZE, pageToken };
    const { deliveries, nextPageToken } = await webhooks.listWebhookDeliveries(request, { signal });
    return { items: deliveries, nextPageToken };
  });
}
