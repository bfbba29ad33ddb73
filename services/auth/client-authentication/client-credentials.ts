import { decodeJwt } from "jose";
import { parseUuid } from "../../../common/platform/encoding/uuid.ts";
import { OAuthError } from "../base/oauth/oauth-error.ts";
import type { OAuthParameters } from "../base/oauth/oauth-parameters.ts";

/** The client that a request names, and how it authenticates. Nothing is verified yet. */
export interface ClientCredentials {
  /** Undefined where the request names no client. */
  readonly clientUuid: string | undefined;
  /** A JWT (RFC 7523 section 2.2); undefined where the request has none. `clientUuid` is defined where this is. */
  readonly assertion: string | undefined;
}

/** The parameters that `readClientCredentials` reads. */
export const CLIENT_PARAMETERS: readonly string[] = [
  "client_id",
  "client_secret",
  "client_assertion",
  "client_assertion_type",
];

const JWT_BEARER = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
/** Enough for an RSA signature of 4,096 bits and claims that nobody needs. */
const MAX_ASSERTION_CHARACTERS = 4_096;

/**
 * Reads how a client names and authenticates itself, before anything else of its request is judged.
 *
 * @throws OAuthError `invalid_client` for a secret, for an ID that no client can have, and for an assertion that isn't one, has
 *   another type or names another client.
 */
export function readClientCredentials(parameters: OAuthParameters): ClientCredentials {
  if (parameters.optional("client_secret") !== undefined) {
    throw new OAuthError("invalid_client", "no client has a secret: send no client_secret");
  }
  const clientId = parameters.optional("client_id");
  const clientUuid = clientId === undefined ? undefined : parseUuid(clientId);
  if (clientId !== undefined && clientUuid === undefined) {
    throw new OAuthError("invalid_client", "client_id must be a UUID");
  }
  const assertion = readAssertion(parameters);
  if (assertion === undefined) return { clientUuid, assertion };
  const subject = subjectOf(assertion);
  if (clientUuid === undefined || clientUuid === subject) return { clientUuid: subject, assertion };
  throw invalidAssertion("sub must be the client_id of the request");
}

/** @throws OAuthError `invalid_client` */
function readAssertion(parameters: OAuthParameters): string | undefined {
  const assertion = parameters.optional("client_assertion");
  const type = parameters.optional("client_assertion_type");
  if (assertion === undefined && type === undefined) return undefined;
  if (assertion === undefined) throw new OAuthError("invalid_client", "client_assertion is missing");
  if (type !== JWT_BEARER) throw new OAuthError("invalid_client", `client_assertion_type must be ${JWT_BEARER}`);
  if (assertion.length <= MAX_ASSERTION_CHARACTERS) return assertion;
  throw invalidAssertion(`it is longer than ${MAX_ASSERTION_CHARACTERS} characters`);
}

/** The client that an assertion says it is from. @throws OAuthError `invalid_client` */
function subjectOf(assertion: string): string {
  const subject = claimedSubject(assertion);
  const uuid = typeof subject === "string" ? parseUuid(subject) : undefined;
  if (uuid !== undefined) return uuid;
  throw invalidAssertion("it must be a JWT whose sub is the client_id");
}

function claimedSubject(assertion: string): unknown {
  try {
    return decodeJwt(assertion).sub;
  } catch {
    return undefined;
  }
}

/** @param rule what the assertion must fulfil and doesn't: printable ASCII without `"` and `\` */
export function invalidAssertion(rule: string): OAuthError {
  return new OAuthError("invalid_client", `client_assertion is refused: ${rule}`);
}

/** The error for a confidential client that has sent no assertion. */
export function missingAssertion(): OAuthError {
  return new OAuthError("invalid_client", "the client must authenticate: send client_assertion (private_key_jwt)");
}
