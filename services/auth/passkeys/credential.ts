import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";

/** The longest credential ID of WebAuthn, 1,023 bytes, as base64url. */
const MAX_ID_CHARACTERS = 1_364;
const BASE64URL = /^[A-Za-z0-9_-]+$/;
/** The transports that an authenticator may have are few, and new ones come up. */
const TRANSPORT = /^[a-z-]{1,16}$/;
const MAX_TRANSPORTS = 6;

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Reads the answer of a new passkey, `RegistrationResponseJSON` of WebAuthn level 3. Only the fields that are checked are
 * taken over.
 *
 * @returns undefined for any other text
 */
export function parseRegistration(json: string): RegistrationResponseJSON | undefined {
  const found = parseCredential(json);
  if (found === undefined) return undefined;
  const { id, response } = found;
  const { clientDataJSON, attestationObject } = response;
  if (!isBase64url(clientDataJSON) || !isBase64url(attestationObject)) return undefined;
  return { ...publicKey(id), response: { clientDataJSON, attestationObject } };
}

/** Reads the transports that the browser names beside the answer; those that no authenticator has are left out. */
export function transportsOf(json: string): readonly string[] {
  const transports = parseCredential(json)?.response["transports"];
  if (!Array.isArray(transports)) return [];
  const knownTransports = transports.filter((each): each is string => typeof each === "string" && TRANSPORT.test(each));
  return [...new Set(knownTransports)].slice(0, MAX_TRANSPORTS);
}

/** Reads the answer of a sign-in, `AuthenticationResponseJSON` of WebAuthn level 3. @returns undefined for any other text */
export function parseAssertion(json: string): AuthenticationResponseJSON | undefined {
  const found = parseCredential(json);
  if (found === undefined) return undefined;
  const { id, response } = found;
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  if (!isBase64url(clientDataJSON) || !isBase64url(authenticatorData) || !isBase64url(signature)) return undefined;
  // A discoverable credential always names its account.
  if (!isBase64url(userHandle)) return undefined;
  return { ...publicKey(id), response: { clientDataJSON, authenticatorData, signature, userHandle } };
}

function publicKey(id: string) {
  return { id, rawId: id, type: "public-key" as const, clientExtensionResults: {} };
}

function parseCredential(json: string): { readonly id: string; readonly response: JsonObject } | undefined {
  const credential = parseObject(json);
  const response = credential?.["response"];
  const id = credential?.["id"];
  if (credential?.["type"] !== "public-key" || !isObject(response)) return undefined;
  return isBase64url(id) && id.length <= MAX_ID_CHARACTERS ? { id, response } : undefined;
}

function parseObject(json: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isBase64url(value: unknown): value is string {
  return typeof value === "string" && BASE64URL.test(value);
}
