import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { Code, ConnectError } from "@connectrpc/connect";
import { BodyTooLarge, readAnswerBody } from "../http/answer-body.ts";
import { JwksError } from "./jwks-error.ts";

/** Loads a JSON Web Key Set (RFC 7517). It may throw anything; what is no `JwksError` counts as `unreachable`. */
export type JwksSource = () => Promise<unknown>;

const MAX_JWKS_BYTES = 64 * 1_024;
const FETCH_TIMEOUT_MS = 5_000;
/**
 * The type of RFC 7517 section 8.5.1 first, as Kubernetes offers no other and answers 406 to whoever doesn't name it. Many
 * servers have JSON only, or anything.
 */
const ACCEPT = "application/jwk-set+json, application/json;q=0.9, */*;q=0.1";

/** Codes of calls that nobody has answered. */
const UNANSWERED: readonly Code[] = [Code.Unavailable, Code.DeadlineExceeded, Code.Canceled];

/** A client of an RPC that answers a JWKS. */
export interface JwksClient {
  getJwks(request: object, options: { readonly timeoutMs: number }): Promise<{ readonly jwksJson: string }>;
}

/** Loads keys by RPC. */
export function rpcJwks(client: JwksClient): JwksSource {
  return async () => {
    try {
      const { jwksJson } = await client.getJwks({}, { timeoutMs: FETCH_TIMEOUT_MS });
      return parseJwks(jwksJson);
    } catch (error) {
      if (!(error instanceof ConnectError) || UNANSWERED.includes(error.code)) throw error;
      throw new JwksError("refused", `the service of the JWKS answers ${error.message}`, error);
    }
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
  const { protocol, origin, pathname } = new URL(url);
  const request = protocol === "https:" ? httpsRequest : httpRequest;
  return async () => {
    const headers = { Accept: ACCEPT, ...(bearer && { Authorization: `Bearer ${bearer()}` }) };
    const signal = AbortSignal.timeout(FETCH_TIMEOUT_MS);
    const sent = request(url, { headers, signal, agent: false, ...(ca === undefined ? {} : { ca }) }).end();
    // Errors before the response reject the `await` below. This listener is for later ones.
    sent.on("error", () => {});
    const [response] = (await once(sent, "response", { signal })) as [IncomingMessage];
    try {
      if (response.statusCode !== 200) {
        throw new JwksError("refused", `${origin}${pathname} answers ${response.statusCode}`);
      }
      return parseJwks(await textOf(response));
    } finally {
      sent.destroy();
    }
  };
}

/** Loads the keys in a file, such as a mounted one. */
export function fileJwks(path: string): JwksSource {
  return async () => parseJwks(await readFile(path, "utf8"));
}

/** @throws JwksError `malformed` */
export function parseJwks(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new JwksError("malformed", "the JWKS is no JSON", error);
  }
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const bytes = await readAnswerBody(body, MAX_JWKS_BYTES).catch((error: unknown) => {
    throw error instanceof BodyTooLarge ? new JwksError("malformed", `the JWKS has ${error.message}`) : error;
  });
  return bytes.toString("utf8");
}
