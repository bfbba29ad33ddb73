import { readFile } from "node:fs/promises";
import type { Client } from "@connectrpc/connect";
import type { AuthorizationService } from "../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";

/** Where a JSON Web Key Set (RFC 7517) comes from. May throw whatever goes wrong. */
export type JwksSource = () => Promise<unknown>;

const MAX_JWKS_BYTES = 64 * 1_024;
const FETCH_TIMEOUT_MS = 5_000;

/** The keys of auth, asked of it by RPC. */
export function rpcJwks(client: Pick<Client<typeof AuthorizationService>, "getJwks">): JwksSource {
  return async () => {
    const { jwksJson } = await client.getJwks({}, { timeoutMs: FETCH_TIMEOUT_MS });
    return JSON.parse(jwksJson);
  };
}

/** The keys at a URL, such as `/.well-known/jwks.json` of the gateway; redirects are not followed. */
export function urlJwks(url: string): JwksSource {
  return async () => {
    const response = await fetch(url, { redirect: "error", signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) });
    if (!response.ok) throw new Error(`the JWKS answers ${response.status}`);
    return JSON.parse(await boundedText(response));
  };
}

/** The keys in a file, such as a mounted one. */
export function fileJwks(path: string): JwksSource {
  return async () => JSON.parse(await readFile(path, "utf8"));
}

async function boundedText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_JWKS_BYTES) throw new Error(`the JWKS is larger than ${MAX_JWKS_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
