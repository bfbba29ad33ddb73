/** The kinds of entities: the person who owns an account, and organizations of that person. */
export type EntityTypeName = "person" | "organization";

/** How far the set-up (the identity check) of an entity is. The names of `SetupState` in the protos, in lower case. */
export type SetupState =
  | "not_started"
  | "in_progress"
  | "ready_for_review"
  | "in_review"
  | "failure"
  | "failure_final"
  | "technical_issue"
  | "complete";

/** The identity providers that an approval can come from. */
export type ProviderName = "review" | "webhook" | "demo";

/** A person or an organization that takes part in sales. Times are milliseconds since 1970. */
export interface Entity {
  /** The internal ID, which applications never get. */
  readonly uuid: string;
  readonly accountUuid: string;
  readonly type: EntityTypeName;
  readonly label: string;
  /** ISO 3166-1 alpha-2; empty until it was declared. */
  readonly country: string;
  /** The stored state. `effectiveSetupState` says whether an approval has ended. */
  readonly setupState: SetupState;
  /** Why the set-up was refused or has failed, or beside an approval why no presence was proved; empty otherwise. */
  readonly setupReason: string;
  /** The question of a reviewer to which its person hasn't answered yet. */
  readonly openQuestion?: string | undefined;
  /** When the provider says that the state came about; 0 before it has said anything. */
  readonly setupAtMs: bigint;
  /**
   * The state that came about then, where it is no longer `setupState`: the user has begun again, or the approval has ended.
   * Undefined otherwise.
   */
  readonly reportedState?: SetupState | undefined;
  /** A keyed hash, in hex, of the vendor's check in which it came about. Undefined without a vendor, and before any report. */
  readonly reportedCheck?: string | undefined;
  /** The provider that approved it. Undefined unless the set-up is complete. */
  readonly provider?: ProviderName | undefined;
  /** When the user submitted it. Undefined unless it waits for a reviewer. */
  readonly submittedAtMs?: bigint | undefined;
  /** When the approval ends. Undefined if it doesn't, or there is none. */
  readonly approvalExpiresAtMs?: bigint | undefined;
  /** Increases with each change. */
  readonly version: bigint;
  readonly createdAtMs: bigint;
}

/** Returns the state of the set-up now: an approval that has ended counts as not started. */
export function effectiveSetupState(
  { setupState, approvalExpiresAtMs }: Pick<Entity, "setupState" | "approvalExpiresAtMs">,
  nowMs: bigint,
): SetupState {
  if (setupState !== "complete" || approvalExpiresAtMs === undefined || nowMs < approvalExpiresAtMs) return setupState;
  return "not_started";
}

/** The contracts that take permits number commitments by entity: its ID, and 16 zero bytes. */
const COMMITMENT_ID_BYTES = 32;

/** Returns the ID of an entity's commitment in a sale's contract. @param saleSpecificId 16 bytes */
export function commitmentIdOf(saleSpecificId: Uint8Array): Uint8Array<ArrayBuffer> {
  const id = new Uint8Array(COMMITMENT_ID_BYTES);
  id.set(saleSpecificId);
  return id;
}
