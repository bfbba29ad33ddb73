import type { AuthContext } from "../web/http/hono-context.ts";
import { invalidRequest, isBasic, refusedSecret } from "./oauth-error.ts";
import type { OAuthParameter } from "./parameters.ts";

const CREDENTIALS = /^basic +([A-Za-z0-9+/]+={0,2})$/i;

/**
 * Returns the parameters of a request with the client that HTTP Basic names with an empty secret, as libraries send it for a public
 * client (RFC 6749 section 2.3.1). That authenticates nobody: the auth service asks a confidential client for its assertion.
 *
 * @throws OAuthAnswerError `invalid_client` for a secret, and for an assertion beside the header; `invalid_request` for another
 *   `client_id`
 */
export function withNamedClient(c: AuthContext, parameters: readonly OAuthParameter[]): OAuthParameter[] {
  if (!isBasic(c)) return [...parameters];
  const clientId = publicClientId(c.req.header("authorization") ?? "");
  const valuesOf = (wanted: string) =>
    parameters.flatMap(({ name, value }) => (name === wanted && value !== "" ? [value] : []));
  if (clientId === undefined || valuesOf("client_assertion").length > 0) throw refusedSecret();
  const named = valuesOf("client_id");
  if (named.some((id) => id !== clientId)) {
    throw invalidRequest("client_id must be the one that the Authorization header names");
  }
  if (named.length > 0) return [...parameters];
  return [...parameters.filter(({ name }) => name !== "client_id"), { name: "client_id", value: clientId }];
}

/** Refuses a client that authenticates by HTTP Basic. @throws OAuthAnswerError `invalid_client` */
export function refuseBasic(c: AuthContext): void {
  if (isBasic(c)) throw refusedSecret();
}

/** Returns the ID in credentials with an empty secret, both encoded as in forms; undefined for any others. */
function publicClientId(authorization: string): string | undefined {
  const text = Buffer.from(CREDENTIALS.exec(authorization)?.[1] ?? "", "base64").toString("utf8");
  if (!text.endsWith(":") || text.indexOf(":") !== text.length - 1) return undefined;
  const [id = ""] = new URLSearchParams(`id=${text.slice(0, -1).replaceAll("&", "%26")}`).values();
  return id === "" ? undefined : id;
}
