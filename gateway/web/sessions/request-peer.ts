import type { MessageInitShape } from "@bufbuild/protobuf";
import type { PeerSchema } from "../../../proto/gen/tidemark/auth/v1/parameter_pb.ts";
import type { AuthContext } from "../http/hono-context.ts";
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
    address: config.trustedProxies.addressOf(incoming),
    userAgent: (incoming.headers["user-agent"] ?? "").slice(0, MAX_USER_AGENT_CHARACTERS),
    language: requestLanguage(incoming),
  };
}
