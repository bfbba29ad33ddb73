import type { IncomingMessage } from "node:http";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { PeerSchema } from "../../../proto/gen/tidemark/auth/v1/parameter_pb.ts";
import type { AuthContext } from "../http/hono-context.ts";
import type { TrustedProxies } from "../http/trusted-proxies.ts";
import { requestLanguage } from "../texts/request-language.ts";
import type { AuthDependencies } from "./auth-dependencies.ts";

/** The contract's bound of `Peer.user_agent`, in characters. */
const MAX_USER_AGENT_CHARACTERS = 512;

/** Returns the address, read from trusted proxies, the browser and the language of a request. */
export function peerOf(
  c: AuthContext,
  { config }: Pick<AuthDependencies, "config">,
): MessageInitShape<typeof PeerSchema> {
  const { incoming } = c.env;
  return {
    address: addressOfRequest(incoming, config.trustedProxies),
    userAgent: (incoming.headers["user-agent"] ?? "").slice(0, MAX_USER_AGENT_CHARACTERS),
    language: requestLanguage(incoming),
  };
}

/** Returns the client's address; empty where the connection has none any more. */
export function addressOfRequest({ socket, headers }: IncomingMessage, proxies: TrustedProxies): string {
  const forwardedFor = headers["x-forwarded-for"];
  const lines = Array.isArray(forwardedFor) ? forwardedFor.join(",") : forwardedFor;
  return proxies.clientAddress(socket.remoteAddress, lines);
}
