import type { AuthDatabase } from "../../../../services/auth/base/schema.ts";
import type { EntitiesDatabase } from "../../../../services/entities/base/schema.ts";
import type { CommitmentsClients } from "../../../support/processes/commitments-fixture.ts";
import type { EntitiesCaller } from "../entities-caller.ts";

/** The services on which permits depend, and the test's own connections to their databases. */
export interface PermitServices {
  readonly caller: EntitiesCaller;
  /** Clients of each commitments service, as an operator. */
  readonly commitments: readonly [CommitmentsClients, ...CommitmentsClients[]];
  readonly authDatabase: AuthDatabase;
  readonly entitiesDatabase: EntitiesDatabase;
  /** Called before each request for a permit. */
  readonly onAsk: () => void;
  /** Signs a new person in. @returns the token of the session */
  signIn(): Promise<string>;
}
