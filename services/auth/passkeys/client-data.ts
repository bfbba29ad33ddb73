/** The part of an answer that the browser writes and the authenticator signs (WebAuthn section 5.8.1). */
export interface ClientData {
  readonly type: string;
  readonly challenge: string;
  readonly origin: string;
  /** Whether a page of another origin framed the one that asked. */
  readonly crossOrigin: boolean;
}

/** A check that client data fails. */
export type ClientDataFault = "type" | "origin" | "cross_origin";

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Reads client data. @param json as base64url @returns undefined for any other text */
export function parseClientData(json: string): ClientData | undefined {
  const data = parseObject(json);
  if (data === undefined) return undefined;
  const { type, challenge, origin, crossOrigin = false, topOrigin } = data;
  const areTexts = typeof type === "string" && typeof challenge === "string" && typeof origin === "string";
  if (!areTexts || typeof crossOrigin !== "boolean") return undefined;
  // Browsers name the top origin of a framed page only.
  return { type, challenge, origin, crossOrigin: crossOrigin || topOrigin !== undefined };
}

function parseObject(json: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(utf8.decode(Buffer.from(json, "base64url")));
    return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the first check that client data fails (WebAuthn sections 7.1 and 7.2); undefined if it is right. */
export function clientDataFault(
  { type, origin, crossOrigin }: ClientData,
  expected: { readonly type: "webauthn.create" | "webauthn.get"; readonly origin: string },
): ClientDataFault | undefined {
  if (type !== expected.type) return "type";
  if (origin !== expected.origin) return "origin";
  return crossOrigin ? "cross_origin" : undefined;
}
