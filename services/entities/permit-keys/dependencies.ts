import type { EntitiesContext } from "../base/context.ts";
import type { Upstreams } from "../base/upstreams.ts";
import type { PermitSigner } from "./permit-signer.ts";

/** The dependencies of the keys' use cases. */
export interface KeyDependencies extends EntitiesContext, Pick<Upstreams, "memberships" | "sales" | "indexer"> {
  readonly permitSigner: PermitSigner;
}
