import type { ClientSecurity } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import { UsageError } from "../base/cli-error.ts";
import type { CommandInput, CommandOptions, FlagsOfFields } from "../base/command.ts";

/** Options of `client security`. Each that is absent leaves its setting as it is. */
export const SECURITY_OPTIONS: CommandOptions = {
  "demand-push": { type: "string", value: "on|off", help: "whether authorizations begin from pushed requests only" },
  "demand-dpop": { type: "string", value: "on|off", help: "whether tokens are issued only bound to a key" },
  "id-token-alg": { type: "string", value: "ALG", help: "the signature of its ID tokens: RS256 or ES256" },
  authentication: { type: "string", value: "METHOD", help: "how it authenticates: none or private_key_jwt" },
  jwks: { type: "string", value: "FILE", help: "its public keys, a JWK set, in place of those it has" },
  "post-logout-uri": {
    type: "string",
    multiple: true,
    value: "URI",
    help: "where users may go after a sign-out, in place of those it has; may be repeated, and empty for none",
  },
};

/** The options that a violation of the contract is about. */
export const SECURITY_FLAGS: FlagsOfFields = {
  "security.id_token_signed_response_alg": ["id-token-alg"],
  "security.token_endpoint_auth_method": ["authentication"],
  "security.jwks": ["jwks"],
  "security.post_logout_redirect_uris": ["post-logout-uri"],
};

type Settings = Omit<ClientSecurity, "$typeName" | "$unknown">;

/**
 * Returns the settings that a command line changes.
 *
 * @param jwks the content of the file of `--jwks`; undefined without it
 * @throws UsageError for a demand that is neither `on` nor `off`
 */
export function changedSecurity(input: CommandInput, jwks: string | undefined): Partial<Settings> {
  const [algorithm, method] = [input.text("id-token-alg"), input.text("authentication")];
  const [push, dpop] = [onOff(input, "demand-push"), onOff(input, "demand-dpop")];
  const uris = input.texts("post-logout-uri");
  return {
    ...(push !== undefined && { requirePushedAuthorizationRequests: push }),
    ...(dpop !== undefined && { dpopBoundAccessTokens: dpop }),
    ...(algorithm !== undefined && { idTokenSignedResponseAlg: algorithm }),
    ...(method !== undefined && { tokenEndpointAuthMethod: method }),
    ...(jwks !== undefined && { jwks }),
    ...(uris.length > 0 && { postLogoutRedirectUris: uris.filter((uri) => uri !== "") }),
  };
}

function onOff(input: CommandInput, option: string): boolean | undefined {
  const text = input.text(option);
  if (text === undefined) return undefined;
  if (text === "on" || text === "off") return text === "on";
  throw new UsageError(`--${option} must be on or off`);
}
