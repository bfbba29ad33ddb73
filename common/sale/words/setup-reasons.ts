/**
 * Reasons that the entities service gives by itself for the state of an identity check, as they are stored and answered. Every
 * language of the pages has a text of the same name.
 */
export const SETUP_REASONS = {
  /** One identity would count twice. */
  taken: "This identity was used for another entity already.",
  /** An approval wasn't taken, as the vendor doesn't say of whom it is. */
  unusable:
    "The country or number of the identity document can't be used. Begin again, with another document if you can.",
  /** A check for one sale proves no presence, as it was of somebody else. */
  otherDocument:
    "The presence for a sale wasn't proved: the check was of another identity document than the one that was approved.",
  /** A check for one sale proves no presence, as it was refused. */
  presenceRefused: "The presence for a sale wasn't proved: the check was refused.",
  /** A user of the demo has chosen it. */
  demo: "Refused, as chosen in this demo.",
} as const;

export type SetupReasonName = keyof typeof SETUP_REASONS;

const NAMES: ReadonlyMap<string, SetupReasonName> = new Map(
  Object.entries(SETUP_REASONS).map(([name, reason]) => [reason, name as SetupReasonName]),
);

/** Returns the name of a reason; undefined for one that a reviewer or a vendor has written. */
export function setupReasonName(reason: string): SetupReasonName | undefined {
  return NAMES.get(reason);
}
