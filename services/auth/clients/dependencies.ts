import type { MembershipDependencies } from "../memberships/dependencies.ts";

export type ClientDependencies = Omit<MembershipDependencies, "onlyFounders">;
