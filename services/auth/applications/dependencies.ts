import type { MembershipDependencies } from "../memberships/dependencies.ts";

export interface ClientDependencies extends Omit<MembershipDependencies, "onlyFounders"> {
  /** The `aud` of access tokens, for the developers of a client. */
  readonly accessTokenAudience: string;
}
