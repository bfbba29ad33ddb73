import type { MessageInitShape } from "@bufbuild/protobuf";
import type { PeerSchema } from "../proto/gen/tidemark/auth/v1/parameter_pb.ts";
import type { AuthContext } from "./auth-context.ts";
import type { AuthParts } from "./auth-parts.ts";

/** The contract's bound of `Peer.user_agent`, in characters. */
const MAX_USER_AGENT_CHARACTERS = 512;

/** Where a request comes from, as far as the trusted proxies tell. */
export function peerOf(c: AuthContext, { config }: Pick<AuthParts, "config">): MessageInitShape<typeof PeerSchema> {
  const { socket, headers } = c.env.incoming;
  const forwardedFor = headers["x-forwarded-for"];
  const lines = Array.isArray(forwardedFor) ? forwardedFor.join(",") : forwardedFor;
  return {
    address: config.trustedProxies.clientAddress(socket.remoteAddress, lines),
    userAgent: (headers["user-agent"] ?? "").slice(0, MAX_USER_AGENT_CHARACTERS),
  };
}
