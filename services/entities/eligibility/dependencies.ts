import type { Upstreams } from "../access/upstreams.ts";
import type { LivenessSubject } from "../setup/identity-provider.ts";
import type { CheckDependencies } from "./check-participation.ts";

export interface EligibilityDependencies extends CheckDependencies, Pick<Upstreams, "authorization"> {
  /** Returns the https URL at which the person of an entity proves to be present, for one sale. */
  readonly livenessUrl: (subject: LivenessSubject) => Promise<string>;
}
