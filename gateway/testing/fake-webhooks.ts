import { create, type DescMessage, type Message, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { type Client, type ConnectError, createClient, createRouterTransport } from "@connectrpc/connect";
import {
  type WebhookDelivery,
  WebhookDeliverySchema,
  type WebhookEndpoint,
  WebhookEndpointSchema,
  WebhookService,
} from "../../proto/gen/tidemark/commitments/v1/webhook_service_pb.ts";

export const ENDPOINT = "abababab-abab-4bab-8bab-abababababab";
export const EVENT = "cdcdcdcd-cdcd-4dcd-8dcd-cdcdcdcdcdcd";
export const WEBHOOK_SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

/** The plain object that a message can be made of. */
type Init<Schema extends DescMessage> = Exclude<MessageInitShape<Schema>, Message>;

export function fakeEndpoint(fields: Init<typeof WebhookEndpointSchema> = {}): WebhookEndpoint {
  const url = "https://founder.example/hook";
  return create(WebhookEndpointSchema, {
    endpointUuid: ENDPOINT,
    url,
    createdAt: timestampFromMs(Date.UTC(2026, 0, 1)),
    ...fields,
  });
}

export function fakeDelivery(fields: Init<typeof WebhookDeliverySchema> = {}): WebhookDelivery {
  const eventAt = timestampFromMs(Date.UTC(2026, 0, 2));
  const about = { endpointUuid: ENDPOINT, eventUuid: EVENT, eventType: "sale.opened", eventAt };
  return create(WebhookDeliverySchema, { ...about, ...fields });
}

/** The webhooks of a commitments service in memory, asked through Connect's own client, that refuses on command. */
export class FakeWebhooks {
  endpoints: WebhookEndpoint[] = [];
  deliveries: WebhookDelivery[] = [];
  nextPageToken = "";
  /** Method and request of each change that wasn't refused. */
  readonly changes: (readonly [method: string, request: unknown])[] = [];
  /** Error with which the list fails while it is set. */
  unavailable: ConnectError | undefined;
  /** Error with which every change fails while it is set. */
  refusal: ConnectError | undefined;

  readonly client: Client<typeof WebhookService> = createClient(
    WebhookService,
    createRouterTransport(({ service }) =>
      service(WebhookService, {
        listWebhookEndpoints: () => {
          if (this.unavailable !== undefined) throw this.unavailable;
          return { endpoints: this.endpoints };
        },
        listWebhookDeliveries: () => ({ deliveries: this.deliveries, nextPageToken: this.nextPageToken }),
        createWebhookEndpoint: (request) => {
          this.#note("create", { url: request.url });
          this.endpoints = [fakeEndpoint({ url: request.url })];
          return { endpoint: fakeEndpoint({ url: request.url }), secret: WEBHOOK_SECRET };
        },
        rotateWebhookSecret: ({ endpointUuid }) => {
          this.#note("rotate", { endpointUuid });
          return { endpoint: fakeEndpoint(), secret: WEBHOOK_SECRET };
        },
        setWebhookEndpointEnabled: ({ endpointUuid, enabled }) => {
          this.#note("enable", { endpointUuid, enabled });
          return { endpoint: fakeEndpoint() };
        },
        deleteWebhookEndpoint: ({ endpointUuid }) => {
          this.#note("delete", { endpointUuid });
          return {};
        },
        sendTestEvent: ({ endpointUuid }) => {
          this.#note("test", { endpointUuid });
          return { eventUuid: EVENT };
        },
        replayWebhookEvents: ({ endpointUuid, events }) => {
          this.#note("replay", { endpointUuid, [events.case ?? ""]: events.value });
          return { deliveries: 1 };
        },
      }),
    ),
  );

  #note(method: string, request: unknown): void {
    if (this.refusal !== undefined) throw this.refusal;
    this.changes.push([method, request]);
  }
}
