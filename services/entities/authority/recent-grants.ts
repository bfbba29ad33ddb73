import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { ApplicationAccess } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import {
  type AccessUpstream,
  type ApplicationGrant,
  type NeededAccess,
  requireApplication,
} from "./application-access.ts";

/** Grants of about 0.5 KB each, for as long as their tokens are usually valid. The least recently used one is dropped. */
const KEPT = { max: 5_000, ttl: 10 * 60_000 };

/**
 * The last answers of auth about access tokens, by the tokens' SHA-256, so that no token stays in memory. They decide nothing: a call
 * may begin by one while auth is asked about its token anew, and must do nothing that lasts before auth has answered, except that
 * it is counted.
 */
export class RecentGrants {
  readonly #upstream: AccessUpstream;
  readonly #grants = new LRUCache<string, ApplicationGrant>(KEPT);

  constructor(upstream: AccessUpstream) {
    this.#upstream = upstream;
  }

  /**
   * Returns what auth said about the token of a call the last time, for this call to begin by. It is undefined if the token was
   * never valid here, and until auth has said so again after another call has begun by it: a token that isn't valid any more, or
   * comes without its proof, begins one call, however many come at once.
   */
  begin(access: ApplicationAccess | undefined): ApplicationGrant | undefined {
    const key = keyOf(access);
    const grant = this.#grants.get(key);
    this.#grants.delete(key);
    return grant;
  }

  /**
   * Asks auth as `requireApplication` does, and remembers the answer. After a refusal nothing begins by the token any more.
   *
   * @throws ServiceError as `requireApplication` does
   */
  async require(access: ApplicationAccess | undefined, needed: NeededAccess): Promise<ApplicationGrant> {
    const key = keyOf(access);
    try {
      const grant = await requireApplication(this.#upstream, access, needed);
      this.#grants.set(key, grant);
      return grant;
    } catch (error) {
      this.#grants.delete(key);
      throw error;
    }
  }
}

function keyOf(access: ApplicationAccess | undefined): string {
  return hash("sha256", access?.accessToken ?? "", "base64");
}
