import type { ClientSecurity } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import { UsageError } from "../base/cli-error.ts";
import type { Command, CommandInput, CommandOptions, FlagsOfFields } from "../base/command.ts";
import { required } from "../base/required.ts";
import { readJsonFile } from "../input/json-file.ts";
import { write } from "../output/write.ts";
import { applicationText } from "./application-text.ts";

/** Options of `application security`. Each that is absent leaves its setting as it is. */
const SECURITY_OPTIONS: CommandOptions = {
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
const SECURITY_FLAGS: FlagsOfFields = {
  "security.id_token_signed_response_alg": ["id-token-alg"],
  "security.token_endpoint_auth_method": ["authentication"],
  "security.jwks": ["jwks"],
  "security.post_logout_redirect_uris": ["post-logout-uri"],
};

export const applicationSecurity: Command = {
  name: "application security",
  positionals: ["UUID"],
  summary: "change what an application must do to get tokens, its public keys, and where users go after a sign-out",
  details:
    "What isn't named stays as it is. Shows the application as it is then. The owners get a mail if a change weakens it.",
  options: SECURITY_OPTIONS,
  flags: SECURITY_FLAGS,
  async run(input, { applications, output, signal }) {
    const [clientUuid = ""] = input.positionals;
    const file = input.text("jwks");
    const jwks = file === undefined ? undefined : JSON.stringify(await readJsonFile(file));
    const change = changedSecurity(input, jwks);
    const { definition, version } = required(await applications.getClient({ clientUuid }, { signal }), "client");
    const { name = "", redirectUris = [], scopes = [], security } = definition ?? {};
    const { $typeName: _, ...settings } = security ?? {};
    const request = { name, redirectUris, scopes, security: { ...settings, ...change } };
    const changed = await applications.updateClient(
      { clientUuid, definition: request, expectedVersion: version },
      { signal },
    );
    await write(output, `${applicationText(required(changed, "client"))}\n`);
  },
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
