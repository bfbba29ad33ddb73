import type { Upstreams } from "../authority/upstreams.ts";
import type { BaseDependencies } from "../base/dependencies.ts";
import type { PermitSigner } from "./permit-signer.ts";

/** The dependencies of the keys' use cases. */
export interface KeyDependencies extends BaseDependencies, Pick<Upstreams, "memberships" | "sales" | "indexer"> {
  readonly permitSigner: PermitSigner;
}
