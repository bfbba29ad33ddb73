import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";

/** A request to the receiver. */
export interface ReceivedWebhook {
  /** `webhook-id`. */
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The body, parsed. */
  readonly event: {
    readonly type: string;
    readonly timestamp: string;
    readonly data: Readonly<Record<string, unknown>>;
  };
}

/** A founder's server on this machine. */
export interface WebhookReceiver {
  readonly url: string;
  readonly received: ReceivedWebhook[];
  /** Answers a request that has been recorded. 204 by default. */
  answer: (response: ServerResponse) => void;
  /** Verifies a request with the library of Standard Webhooks as it is. @throws if it isn't signed with the secret */
  verified(secret: string, request: ReceivedWebhook | undefined): unknown;
  stop(): void;
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const { headers } = request;
    receiver.received.push({ id: String(headers["webhook-id"]), headers, body, event: JSON.parse(body) });
    receiver.answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/hooks`,
    received: [],
    answer: (response) => response.writeHead(204).end(),
    verified: (secret, request) =>
      new Webhook(secret).verify(request?.body ?? "", (request?.headers ?? {}) as Record<string, string>),
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return receiver;
}
