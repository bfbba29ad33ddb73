import type { Transport } from "@connectrpc/connect";
import { ACTOR_HEADER } from "../../../common/platform/rpc/identity/actor.ts";

/** A transport whose calls are made for the person of an actor token. */
export function actingTransport(transport: Transport, actorToken: string): Transport {
  const withActor = (header: HeadersInit | undefined) => {
    const headers = new Headers(header);
    headers.set(ACTOR_HEADER, actorToken);
    return headers;
  };
  return {
    unary: (method, signal, timeoutMs, header, input, values) =>
      transport.unary(method, signal, timeoutMs, withActor(header), input, values),
    stream: (method, signal, timeoutMs, header, input, values) =>
      transport.stream(method, signal, timeoutMs, withActor(header), input, values),
  };
}
