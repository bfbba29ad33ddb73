const ENTITY_DIGITS = 32;
const PADDING = "0".repeat(32);

/** Returns the entity whose ID, followed by zeros, is a commitment's ID; undefined for any other commitment ID. */
export function entityOfPaddedId(commitmentId: string): string | undefined {
  return commitmentId.endsWith(PADDING) ? commitmentId.slice(0, ENTITY_DIGITS) : undefined;
}
