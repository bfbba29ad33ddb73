import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Client } from "@connectrpc/connect";
import type { AuthorizationService } from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";

/** Loads a JSON Web Key Set (RFC 7517). It may throw anything. */
export type JwksSource = () => Promise<unknown>;

const MAX_JWKS_BYTES = 64 * 1_024;
const FETCH_TIMEOUT_MS = 5_000;

/** Loads the keys of auth by RPC. */
export function rpcJwks(client: Pick<Client<typeof AuthorizationService>, "getJwks">): JwksSource {
  return async () => {
    const { jwksJson } = await client.getJwks({}, { timeoutMs: FETCH_TIMEOUT_MS });
    return JSON.parse(jwksJson);
  };
}

export interface UrlJwksOptions {
  /** Certificates (PEM) of the authorities to trust. Those of the runtime by default. */
  readonly ca?: string;
  /** Returns the bearer token for the server (RFC 6750 section 2.1). Called for each load. */
  readonly bearer?: () => string;
}

/** Loads the keys at a URL, such as `/.well-known/jwks.json` of the gateway. Redirects are not followed. */
export function urlJwks(url: string, { ca, bearer }: UrlJwksOptions = {}): JwksSource {
  const request = new URL(url).protocol === "https:" ? httpsRequest : httpRequest;
  return async () => {
    const headers = { Accept: "application/json", ...(bearer && { Authorization: `Bearer ${bearer()}` }) };
    const signal = AbortSignal.timeout(FETCH_TIMEOUT_MS);
    const sent = request(url, { headers, signal, agent: false, ...(ca === undefined ? {} : { ca }) }).end();
    // Errors before the response reject the `await` below. This listener is for later ones.
    sent.on("error", () => {});
    const [response] = (await once(sent, "response", { signal })) as [IncomingMessage];
    try {
      if (response.statusCode !== 200) throw new Error(`the JWKS answers ${response.statusCode}`);
      return JSON.parse(await boundedText(response));
    } finally {
      sent.destroy();
    }
  };
}

/** Loads the keys in a file, such as a mounted one. */
export function fileJwks(path: string): JwksSource {
  return async () => JSON.parse(await readFile(path, "utf8"));
}

async function boundedText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > MAX_JWKS_BYTES) throw new Error(`the JWKS is larger than ${MAX_JWKS_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
