import type { JWTPayload } from "jose";
import { parseUuid } from "../../../common/platform/encoding/uuid.ts";

/** `typ` of access tokens (RFC 9068 section 2.1). */
export const ACCESS_TOKEN_TYPE = "at+jwt";

/** Whether a sale is real or only a test. */
export type Tenancy = "live" | "test";

/** The claims of a verified access token (RFC 9068 section 2.2). Times are milliseconds since 1970. */
export interface AccessTokenClaims {
  /** The user. It differs between sales, and is the same in all applications of one sale. */
  readonly subject: string;
  /** The application. */
  readonly clientUuid: string;
  readonly saleUuid: string;
  /** The tenancy of the sale; undefined in a token that an auth service of an older version has issued. */
  readonly tenancy: Tenancy | undefined;
  readonly scopes: readonly string[];
  /** `jti`. */
  readonly tokenId: string;
  readonly expiresAtMs: bigint;
  /** The thumbprint of the key that the token is bound to (`cnf.jkt`, RFC 9449 section 6); undefined for a bearer token. */
  readonly keyThumbprint: string | undefined;
}

/** Reads verified claims. Undefined if there are none, or not all that our access tokens have. */
export function accessTokenClaims(claims: JWTPayload | undefined): AccessTokenClaims | undefined {
  const subject = text(claims, "sub");
  const clientUuid = parseUuid(text(claims, "client_id") ?? "");
  const saleUuid = parseUuid(text(claims, "sale_uuid") ?? "");
  const scope = text(claims, "scope");
  const tokenId = text(claims, "jti");
  const expiresAtMs = milliseconds(claims, "exp");
  const keyThumbprint = confirmedKey(claims?.["cnf"]);
  if (
    keyThumbprint === null ||
    subject === undefined ||
    clientUuid === undefined ||
    saleUuid === undefined ||
    scope === undefined ||
    tokenId === undefined ||
    expiresAtMs === undefined
  ) {
    return undefined;
  }
  const scopes = scope.split(" ").filter((name) => name !== "");
  const tenancy = tenancyOf(text(claims, "tenancy"));
  return { subject, clientUuid, saleUuid, tenancy, scopes, tokenId, expiresAtMs, keyThumbprint };
}

/** Reads `cnf`. Null for one of another kind: such a token is bound to something, and isn't a bearer token. */
function confirmedKey(confirmation: unknown): string | undefined | null {
  if (confirmation === undefined) return undefined;
  if (typeof confirmation !== "object" || confirmation === null || !("jkt" in confirmation)) return null;
  return typeof confirmation.jkt === "string" && confirmation.jkt !== "" ? confirmation.jkt : null;
}

function tenancyOf(name: string | undefined): Tenancy | undefined {
  return name === "live" || name === "test" ? name : undefined;
}

function text(claims: JWTPayload | undefined, name: string): string | undefined {
  const value = claims?.[name];
  return typeof value === "string" ? value : undefined;
}

function milliseconds(claims: JWTPayload | undefined, name: string): bigint | undefined {
  const seconds = claims?.[name];
  return typeof seconds === "number" && Number.isSafeInteger(seconds) ? BigInt(seconds) * 1_000n : undefined;
}
