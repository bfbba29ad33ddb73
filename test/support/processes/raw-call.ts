import type { CallerCredentials } from "../../../common/platform/rpc/identity/caller-keys.ts";
import { signCallerToken } from "../../../common/platform/rpc/identity/caller-token.ts";

export interface RawAnswer {
  readonly status: number;
  readonly code: string | undefined;
  readonly message: string;
}

export interface RawCall {
  readonly url: string;
  /** Service and method, such as `tidemark.commitments.v1.SaleService/GetSale`. */
  readonly method: string;
  /** The whole `authorization` header; none where it is absent. */
  readonly authorization?: string;
  readonly contentType?: "application/json" | "application/proto";
  readonly body: string | Uint8Array<ArrayBuffer>;
}

/** Makes a unary call of the Connect protocol with a given body, for content that no generated type can hold. */
export async function rawCall({ url, method, authorization, contentType, body }: RawCall): Promise<RawAnswer> {
  const response = await fetch(`${url}/${method}`, {
    method: "POST",
    headers: {
      "content-type": contentType ?? "application/json",
      "connect-protocol-version": "1",
      ...(authorization === undefined ? {} : { authorization }),
    },
    body,
  });
  const text = await response.text();
  const { code, message } = response.ok ? { code: undefined, message: text } : JSON.parse(text);
  return { status: response.status, code, message: message ?? "" };
}

/** The `authorization` header of a caller. */
export async function bearer(credentials: CallerCredentials, issuedAtSeconds = nowSeconds()): Promise<string> {
  return `Bearer ${await signCallerToken(credentials, issuedAtSeconds)}`;
}

export function nowSeconds(): number {
  return Math.floor(Date.now() / 1_000);
}
