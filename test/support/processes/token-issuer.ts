import { once } from "node:events";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import {
  AUTH_AUDIENCE,
  COMMITMENTS_AUDIENCE,
  ENTITIES_AUDIENCE,
  INDEXER_AUDIENCE,
} from "../../../common/platform/rpc/identity/audiences.ts";
import { SERVICE_ISSUER, type ServiceIssuer, serviceIssuer } from "../../../common/platform/testing/service-issuer.ts";
import { selfSignedCertificate } from "./tls-certificate.ts";

type Env = Readonly<Record<string, string>>;

const CALLERS = ["gateway", "indexer", "commitments", "auth", "entities", "operator"] as const;
export type TokenCaller = (typeof CALLERS)[number];
const JWK_SET = "application/jwk-set+json";
const AUDIENCES = [COMMITMENTS_AUDIENCE, AUTH_AUDIENCE, INDEXER_AUDIENCE, ENTITIES_AUDIENCE];

/**
 * An issuer of projected tokens as a cluster has one: a folder of tokens for each caller, renewed by replacing files, and a
 * JWKS by https, shown only to who brings the present token for it and accepts the type of RFC 7517 section 8.5.1.
 */
export class TokenIssuer {
  readonly #folder: string;
  readonly #keys: ServiceIssuer[] = [];
  readonly #bearers = new Map<string, TokenCaller>();
  /** Services that have read the JWKS since the last rotation. */
  readonly #readers = new Set<string>();
  readonly #server: ReturnType<typeof createServer>;
  readonly #ca: string;

  private constructor(folder: string, certificate: { readonly cert: string; readonly key: string }) {
    this.#folder = folder;
    this.#ca = certificate.cert;
    this.#server = createServer(certificate, ({ headers }, response) => {
      const reader = this.#bearers.get(headers.authorization ?? "");
      if (reader === undefined) return void response.writeHead(401).end();
      if (!acceptsJwkSet(headers.accept)) return void response.writeHead(406).end();
      this.#readers.add(reader);
      response.writeHead(200, { "content-type": JWK_SET });
      response.end(JSON.stringify({ keys: this.#keys.map(({ jwk }) => jwk) }));
    });
  }

  /** @param folder an empty one. */
  static async start(folder: string): Promise<TokenIssuer> {
    const issuer = new TokenIssuer(folder, await selfSignedCertificate("localhost"));
    await writeFile(join(folder, "issuer-ca.pem"), issuer.#ca);
    issuer.#server.listen(0, "127.0.0.1");
    await once(issuer.#server, "listening");
    await issuer.rotate();
    return issuer;
  }

  /** Environment of a service that knows its callers by tokens. */
  serverEnv(service: TokenCaller): Env {
    const { port } = this.#server.address() as AddressInfo;
    return {
      CALLER_TOKEN_ISSUER: SERVICE_ISSUER,
      CALLER_TOKEN_JWKS_URL: `https://localhost:${port}/openid/v1/jwks`,
      CALLER_TOKEN_CA_FILE: join(this.#folder, "issuer-ca.pem"),
      CALLER_TOKEN_JWKS_BEARER_FILE: join(this.folderOf(service), "issuer"),
      CALLER_SUBJECTS: CALLERS.map((name) => `${name}=${subjectOf(name)}`).join(","),
    };
  }

  /** `CALLER_TOKEN_DIR`. */
  folderOf(caller: TokenCaller): string {
    return join(this.#folder, caller);
  }

  /** Signs with a new key from now on, beside which the old ones are still published, and replaces every token. */
  async rotate(): Promise<void> {
    const key = await serviceIssuer(`key-${this.#keys.length}`, this.#keys.length % 2 === 0 ? "RS256" : "ES256");
    this.#keys.push(key);
    this.#bearers.clear();
    this.#readers.clear();
    for (const caller of CALLERS) {
      await mkdir(this.folderOf(caller), { recursive: true });
      for (const audience of AUDIENCES) {
        await replaceFile(join(this.folderOf(caller), audience), await tokenOf(key, caller, audience));
      }
      const bearer = await tokenOf(key, caller, SERVICE_ISSUER);
      this.#bearers.set(`Bearer ${bearer}`, caller);
      await replaceFile(join(this.folderOf(caller), "issuer"), bearer);
    }
  }

  /** Whether a service has read the keys since the last rotation, with its new token: it was called with a new one. */
  wasReadBy(service: TokenCaller): boolean {
    return this.#readers.has(service);
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, "close");
  }
}

/** Whether a client accepts the one type that the API server of Kubernetes has for keys. */
function acceptsJwkSet(accept = "*/*"): boolean {
  const types = accept.split(",").map((range) => range.split(";", 1)[0]?.trim());
  return types.some((type) => type === JWK_SET || type === "*/*");
}

function subjectOf(caller: TokenCaller): string {
  return `system:serviceaccount:tidemark:tidemark-${caller}`;
}

function tokenOf(key: ServiceIssuer, caller: TokenCaller, audience: string): Promise<string> {
  return key.sign({ sub: subjectOf(caller), aud: [audience] });
}

/** Replaces a file as a whole, as kubelet does. */
async function replaceFile(path: string, content: string): Promise<void> {
  await writeFile(`${path}.new`, content);
  await rename(`${path}.new`, path);
}
