/** A state of a sale, as one gateway has served it. Revisions count within a generation. */
export interface EventId {
  readonly generation: bigint;
  readonly revision: bigint;
  /** How often a wrong body of this revision was replaced; 0 where it never was. */
  readonly correction: number;
}

const EVENT_ID = /^([0-9a-f]{16})-(0|[1-9]\d{0,19})(?:-([1-9]\d{0,8}))?$/;

/** Returns the `id` of the event that brings a reader to a state: 16 hex digits, `-`, decimal digits, and after a correction `-` and its number. */
export function formatEventId({ generation, revision, correction }: EventId): string {
  const id = `${generation.toString(16).padStart(16, "0")}-${revision}`;
  return correction === 0 ? id : `${id}-${correction}`;
}

/** Returns the state that an event's `id` names; undefined for any other text. */
export function parseEventId(text: string): EventId | undefined {
  const [, generation, revision, correction = "0"] = EVENT_ID.exec(text) ?? [];
  if (generation === undefined || revision === undefined) return undefined;
  return { generation: BigInt(`0x${generation}`), revision: BigInt(revision), correction: Number(correction) };
}
