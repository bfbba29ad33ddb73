/** A state of a sale. Revisions count within a generation. */
export interface EventId {
  readonly generation: bigint;
  readonly revision: bigint;
}

const EVENT_ID = /^([0-9a-f]{16})-(0|[1-9]\d{0,19})$/;

/** Returns the `id` of the event that brings a reader to a state: 16 hex digits, `-`, decimal digits. */
export function formatEventId({ generation, revision }: EventId): string {
  return `${generation.toString(16).padStart(16, "0")}-${revision}`;
}

/** Returns the state that an event's `id` names; undefined for any other text. */
export function parseEventId(text: string): EventId | undefined {
  const [, generation, revision] = EVENT_ID.exec(text) ?? [];
  if (generation === undefined || revision === undefined) return undefined;
  return { generation: BigInt(`0x${generation}`), revision: BigInt(revision) };
}
