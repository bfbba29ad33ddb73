import { randomBytes } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Entity, Limits, Position, PurchaseCheck, SignedPermit, Tokens } from "../../../client/index.ts";
import { atMost } from "../../../common/platform/cache/at-most.ts";
import type { TestWallet } from "../bidders/permit-bid.ts";
import type { PreparedAuthorization } from "./oauth-client.ts";
import type { TracedCall } from "./traced-fetch.ts";

/** A step after the browser came back, with the calls that it made. */
export interface Step {
  readonly title: string;
  /** The meaning of the answer, where it isn't obvious. */
  readonly meaning?: string;
  /** The step as code with the client. */
  readonly code?: string;
  readonly calls: readonly TracedCall[];
  /** The reason of a failure, as the page shows it. */
  readonly problem?: string;
}

/** A reason for which an entity got no permit. */
export interface Refusal {
  readonly entity: Entity;
  readonly check: PurchaseCheck;
}

/** A permit of the user's, and whose it is. */
export interface OwnPermit {
  readonly entity: Entity;
  readonly permit: SignedPermit;
  readonly limits: Limits;
}

/** A bid that the chain has confirmed. */
export interface OwnBid {
  readonly token: string;
  /** Total after the bid, in smallest units. */
  readonly amount: bigint;
  readonly priceTicks: bigint;
  readonly block: bigint;
  /** Time of the confirmation, in milliseconds since 1970. */
  readonly confirmedAtMs: number;
}

/** The application's session with one browser. */
export interface Visit {
  /** The next authorization request, until its answer arrives. */
  prepared?: PreparedAuthorization;
  /** The authorization URL that the browser opened. */
  requestUrl?: string;
  /** The parameters of the callback. */
  callback?: readonly (readonly [name: string, value: string])[];
  tokens?: Tokens;
  /** Whether the user has had the tokens revoked. They stay, to show that they open nothing any more. */
  isRevoked?: boolean;
  /** The user's entities when they were last asked for. */
  entities?: readonly Entity[];
  wallet?: TestWallet;
  permit?: OwnPermit;
  /** Why there was no permit when it was last asked for. */
  refusal?: Refusal;
  bid?: OwnBid;
  /** The commitments of the wallet, when they were last asked for. */
  position?: Position;
  /** Whether the page has shown what the user did last, so that whoever loads it once more comes back to it. */
  isShown?: boolean;
  readonly steps: Step[];
}

const MAX_VISITS = 100;
const MAX_STEPS = 12;
const ID_BYTES = 32;

/** The latest 100 visits by secret ID; the least recently used one makes room for another. */
export class Visits {
  readonly #visits = new LRUCache<string, Visit>(atMost(MAX_VISITS));

  find(id: string | undefined): Visit | undefined {
    return id === undefined ? undefined : this.#visits.get(id);
  }

  /** @returns the visit's secret ID. */
  add(visit: Visit): string {
    const id = randomBytes(ID_BYTES).toString("base64url");
    this.#visits.set(id, visit);
    return id;
  }

  remove(id: string | undefined): void {
    if (id !== undefined) this.#visits.delete(id);
  }
}

/** Returns the entities that may bid, when they were last asked for. */
export function readyEntities({ entities = [] }: Visit): readonly Entity[] {
  return entities.filter(
    ({ EntitySetupState, SaleEligibility }) => EntitySetupState === "complete" && SaleEligibility === "eligible",
  );
}

/** Whether the contract takes bids with the visit's permit now. */
export function hasValidPermit({ permit }: Visit): boolean {
  return permit !== undefined && permit.permit.PermitJSON.ExpiresAt * 1_000 > Date.now();
}

/** Adds a step. The first two, which are the sign-in, stay; of the others, the oldest make room. */
export function addStep({ steps }: Visit, step: Step): void {
  if (steps.length >= MAX_STEPS) steps.splice(2, 1);
  steps.push(step);
}
