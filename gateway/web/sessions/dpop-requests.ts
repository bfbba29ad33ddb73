import { randomUUID } from "node:crypto";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { DpopProofSchema } from "../../../proto/gen/tidemark/auth/v1/parameter_pb.ts";
import type { AuthContext } from "../http/hono-context.ts";
import { TtlCache } from "../http/ttl-cache.ts";
import { DPOP_NONCE_MAX_AGE_MS, DPOP_NONCE_TTL_MS } from "../lifetimes.ts";
import type { AuthDependencies } from "./auth-dependencies.ts";

type DpopProof = MessageInitShape<typeof DpopProofSchema>;

const NONCE = "nonce";

/** Whether a request has a proof (RFC 9449 section 4.1). */
export function hasProof({ env }: AuthContext): boolean {
  return env.incoming.headers["dpop"] !== undefined;
}

/** Takes proofs from requests, which auth checks, and supplies the nonces for the next ones (RFC 9449 section 8). */
export class DpopRequests {
  readonly #logger: AuthDependencies["logger"];
  readonly #nonces: TtlCache<string>;

  constructor({ clients, now, logger }: Pick<AuthDependencies, "clients" | "now" | "logger">) {
    this.#logger = logger;
    this.#nonces = new TtlCache({
      load: async () => (await clients.authorization.getDpopNonce({})).nonce,
      ttlMs: DPOP_NONCE_TTL_MS,
      maxAgeMs: DPOP_NONCE_MAX_AGE_MS,
      maxEntries: 1,
      now,
    });
  }

  /**
   * Returns the proof of a request, empty where it has none. Its answer, also an error, gets a fresh nonce.
   *
   * @param origin the configured origin of the path
   */
  async proofOf(c: AuthContext, origin: string): Promise<DpopProof> {
    await this.#supplyNonce(c);
    const { dpop = "" } = c.env.incoming.headers;
    const proof = Array.isArray(dpop) ? dpop.join(", ") : dpop;
    return { proof, method: c.req.method, uri: origin + c.req.path, requestId: randomUUID() };
  }

  /** Without a nonce an answer is as good as any, unless the application needs one: then it asks again. */
  async #supplyNonce(c: AuthContext): Promise<void> {
    try {
      c.header("DPoP-Nonce", await this.#nonces.get(NONCE));
    } catch (error) {
      this.#logger.warn({ err: error }, "no nonce can be supplied");
    }
  }
}
