import type { ServiceImpl } from "@connectrpc/connect";
import type { WebhookService } from "../../../proto/gen/tidemark/commitments/v1/webhook_service_pb.ts";
import {
  createEndpoint,
  deleteEndpoint,
  type EndpointKey,
  type EndpointWithSecret,
  rotateSecret,
  setEndpointEnabled,
} from "./change-endpoint.ts";
import { readEndpoints } from "./endpoint-rows.ts";
import { originOf, type WebhookEndpoint } from "./webhook-endpoint.ts";
import { endpointMessage } from "./webhook-message.ts";
import type { WebhooksContext } from "./webhooks.ts";
import { type WebhookCall, webhookCall } from "./webhooks.ts";

type EndpointRpcs = Pick<
  ServiceImpl<typeof WebhookService>,
  | "createWebhookEndpoint"
  | "listWebhookEndpoints"
  | "setWebhookEndpointEnabled"
  | "deleteWebhookEndpoint"
  | "rotateWebhookSecret"
>;

/** The RPCs that change and list the endpoints of a sale. */
export function endpointRpcs(dependencies: WebhooksContext): EndpointRpcs {
  const { store, authority } = dependencies;
  /** Records a change in the sale's log, with no more of the URL than its origin. */
  const record = ({ principal, saleUuid }: WebhookCall, url: string, before: string, after: string) =>
    authority.recordChange(principal, saleUuid, "webhooks", [{ field: `Webhook ${originOf(url)}`, before, after }]);
  return {
    async createWebhookEndpoint(request, context) {
      const call = await webhookCall(dependencies, request, context);
      const { saleUuid, webhooks } = call;
      const { url } = request;
      const created = await createEndpoint(store, webhooks, { saleUuid, url }, () => record(call, url, "", "enabled"));
      return withSecret(created);
    },
    async listWebhookEndpoints(request, context) {
      const { saleUuid } = await webhookCall(dependencies, request, context);
      const endpoints = await store.database.read((connection) => readEndpoints(connection, saleUuid));
      return { endpoints: endpoints.map(endpointMessage) };
    },
    async setWebhookEndpointEnabled(request, context) {
      const call = await webhookCall(dependencies, request, context);
      const { enabled } = request;
      const [before, after] = enabled ? (["disabled", "enabled"] as const) : (["enabled", "disabled"] as const);
      const changed = await setEndpointEnabled(store, keyOf(request), enabled, ({ url }) =>
        record(call, url, before, after),
      );
      return { endpoint: endpointMessage(changed) };
    },
    async deleteWebhookEndpoint(request, context) {
      const call = await webhookCall(dependencies, request, context);
      await deleteEndpoint(store, keyOf(request), (endpoint) => record(call, endpoint.url, stateText(endpoint), ""));
      return {};
    },
    async rotateWebhookSecret(request, context) {
      const call = await webhookCall(dependencies, request, context);
      const rotated = await rotateSecret(store, call.webhooks, keyOf(request), ({ url }) =>
        record(call, url, "a secret", "another secret"),
      );
      return withSecret(rotated);
    },
  };
}

/** Returns the UUIDs of a request in their canonical form. */
export function keyOf(request: EndpointKey): EndpointKey {
  return { saleUuid: request.saleUuid.toLowerCase(), endpointUuid: request.endpointUuid.toLowerCase() };
}

function withSecret({ endpoint, secret }: EndpointWithSecret) {
  return { endpoint: endpointMessage(endpoint), secret };
}

function stateText({ disabled }: WebhookEndpoint): string {
  return disabled === undefined ? "enabled" : "disabled";
}
