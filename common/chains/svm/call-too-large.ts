import { SourceFault, type SourceFaultOptions } from "../base/source-fault.ts";

export interface CallTooLargeOptions extends SourceFaultOptions {
  /** Whether other nodes, which don't answer now, may take the call. Default: false. */
  readonly mayBeTaken?: boolean;
}

/** Thrown if a node refuses a call for what it asks for. One for fewer accounts may be answered. */
export class CallTooLarge extends SourceFault {
  readonly mayBeTaken: boolean;

  constructor(message: string, { mayBeTaken = false, ...options }: CallTooLargeOptions) {
    super(message, options);
    this.name = "CallTooLarge";
    this.mayBeTaken = mayBeTaken;
  }
}

/** Invalid params (JSON-RPC 2.0, section 5.1): Agave's answer to too many accounts, and to an address that is none. */
const INVALID_PARAMS = -32602;
/** Providers' words for their bounds, under codes of their own. */
const BOUND = /too many|too large|limited to|limit of|max(imum)? (number|of|is|\d)|exceed/i;
/** Words about how often a node may be asked, which are beside those of the bound. */
const RATE = /\brate\b|per (second|minute|hour|day|month)|requests|quota|credits|compute units/i;
/** Characters of a message that are looked at: a node chooses its length. */
const MAX_READ_CHARACTERS = 1_024;

/** Whether a node's error is about the size of the call. */
export function isAboutSize(error: unknown): boolean {
  const { code, message } = (typeof error === "object" && error !== null ? error : {}) as Record<string, unknown>;
  if (code === INVALID_PARAMS) return true;
  const text = typeof message === "string" ? message.slice(0, MAX_READ_CHARACTERS) : "";
  return BOUND.test(text) && !RATE.test(text);
}

/**
 * Reads items by calls for as many of them as nodes allow: one that is refused for its size is halved, down to one item.
 *
 * @param read reads some of the items by one call. Its result has theirs in their order.
 * @param refused makes the result of an item that every node refuses alone.
 * @throws the other errors of `read`; CallTooLarge for an item alone that nodes which don't answer now may take.
 */
export async function readHalving<Item, Result>(
  items: readonly Item[],
  read: (part: readonly Item[]) => Promise<readonly Result[]>,
  refused: (item: Item, error: CallTooLarge) => Result,
): Promise<readonly Result[]> {
  try {
    return items.length === 0 ? [] : await read(items);
  } catch (error) {
    if (!(error instanceof CallTooLarge)) throw error;
    const [only] = items;
    if (items.length === 1 && error.mayBeTaken) throw error;
    if (items.length === 1 && only !== undefined) return [refused(only, error)];
    const middle = Math.ceil(items.length / 2);
    const first = await readHalving(items.slice(0, middle), read, refused);
    return [...first, ...(await readHalving(items.slice(middle), read, refused))];
  }
}
