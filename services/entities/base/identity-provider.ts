import type { Entity, EntityTypeName, ProviderName, SetupState } from "./entity.ts";

/** How a set-up begins. */
export interface BegunSetup {
  readonly state: SetupState;
  /** The declared country, if the provider takes one. */
  readonly country?: string;
  /** Whether it waits for a reviewer of this deployment. */
  readonly submitted?: boolean;
  /** A secret that names this set-up to the provider, which must be stored (`storeHandle`). */
  readonly handle?: string;
  /** The page of the provider at which the user goes on. */
  readonly startUrl?: string;
}

/** An entity as a provider sees it in a sale. */
export interface LivenessSubject {
  readonly saleUuid: string;
  readonly entityUuid: string;
  readonly publicUuid: string;
  readonly type: EntityTypeName;
}

/** The page where a person proves to be present. */
export interface LivenessPage {
  readonly url: string;
  /** See `BegunSetup`. */
  readonly handle?: string;
}

/**
 * Who checks identities in this deployment: decides what the user must do, and where. How its results come in differs
 * (`decide-review.ts`, `report-setup.ts`, `setup-rpc.ts`); what they do to an entity is the same (`setup-outcome.ts`).
 */
export interface IdentityProvider {
  readonly name: ProviderName;
  /**
   * Says how the set-up of an entity begins or goes on.
   *
   * @param country ISO 3166-1 alpha-2; empty if the user declared none
   * @throws ServiceError `invalid_argument` if the provider needs the country
   */
  begin(entity: Entity, country: string, nowMs: bigint): BegunSetup;
  /** Returns the page at which the person of an entity proves to be present, for one sale. */
  livenessPage(subject: LivenessSubject, nowMs: bigint): LivenessPage;
}
