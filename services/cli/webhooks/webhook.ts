import { WebhookEndpointSchema } from "../../../proto/gen/tidemark/commitments/v1/webhook_service_pb.ts";
import type { CliContext } from "../base/cli-context.ts";
import type { Command } from "../base/command.ts";
import { required } from "../base/required.ts";
import { messageJson } from "../output/message-json.ts";
import { paintFor } from "../output/paint.ts";
import { write } from "../output/write.ts";
import { secretLines, webhookTable } from "./webhook-text.ts";

export const webhookCreate: Command = {
  name: "webhook create",
  positionals: ["SALE-UUID", "URL"],
  summary: "send a sale's events to a URL, and show the secret that signs them, once",
  options: {},
  async run({ positionals: [saleUuid = "", url = ""] }, { webhooks, output, signal }) {
    const created = await webhooks.createWebhookEndpoint({ saleUuid, url }, { signal });
    await write(output, `${secretLines(required(created, "endpoint"), created.secret)}\n`);
  },
};

export const webhookList: Command = {
  name: "webhook list",
  positionals: ["SALE-UUID"],
  summary: "list a sale's webhooks, the oldest first",
  options: { json: { type: "boolean", help: "as a JSON list for programs" } },
  async run(input, context) {
    const [saleUuid = ""] = input.positionals;
    if (!input.flag("json")) return showEndpoints(saleUuid, context);
    const { webhooks, output, signal } = context;
    const { endpoints } = await webhooks.listWebhookEndpoints({ saleUuid }, { signal });
    const list = endpoints.map((endpoint) => messageJson(WebhookEndpointSchema, endpoint));
    await write(output, `${JSON.stringify(list, null, 2)}\n`);
  },
};

export const webhookDisable: Command = {
  name: "webhook disable",
  positionals: ["SALE-UUID", "ENDPOINT-UUID"],
  summary: "send nothing to a webhook any more, and give up what waits for it",
  options: {},
  run: ({ positionals }, context) => setEnabled(positionals, false, context),
};

export const webhookEnable: Command = {
  name: "webhook enable",
  positionals: ["SALE-UUID", "ENDPOINT-UUID"],
  summary: "send a sale's next events to a webhook that was disabled",
  options: {},
  run: ({ positionals }, context) => setEnabled(positionals, true, context),
};

export const webhookDelete: Command = {
  name: "webhook delete",
  positionals: ["SALE-UUID", "ENDPOINT-UUID"],
  summary: "delete a webhook with its secret and its log",
  options: {},
  async run({ positionals: [saleUuid = "", endpointUuid = ""] }, context) {
    await context.webhooks.deleteWebhookEndpoint({ saleUuid, endpointUuid }, { signal: context.signal });
    await showEndpoints(saleUuid, context);
  },
};

export const webhookRotate: Command = {
  name: "webhook rotate",
  positionals: ["SALE-UUID", "ENDPOINT-UUID"],
  summary: "replace a webhook's secret, and show the new one, once",
  details: "For 24 hours requests are signed with the replaced secret, too.",
  options: {},
  async run({ positionals: [saleUuid = "", endpointUuid = ""] }, { webhooks, output, signal }) {
    const rotated = await webhooks.rotateWebhookSecret({ saleUuid, endpointUuid }, { signal });
    await write(output, `${secretLines(required(rotated, "endpoint"), rotated.secret)}\n`);
  },
};

async function setEnabled(
  [saleUuid = "", endpointUuid = ""]: readonly string[],
  enabled: boolean,
  context: CliContext,
): Promise<void> {
  const request = { saleUuid, endpointUuid, enabled };
  await context.webhooks.setWebhookEndpointEnabled(request, { signal: context.signal });
  await showEndpoints(saleUuid, context);
}

async function showEndpoints(saleUuid: string, { webhooks, output, signal }: CliContext): Promise<void> {
  const { endpoints } = await webhooks.listWebhookEndpoints({ saleUuid }, { signal });
  await write(output, `${webhookTable(endpoints, paintFor(output))}\n`);
}
