import type { Chain } from "./chain.ts";

/** The newest block or slot of a node that has shown that it is of the configured chain. */
export interface CheckedHead {
  readonly height: bigint;
  /** Its time in seconds since 1970; undefined if the node doesn't say. */
  readonly timeSeconds: bigint | undefined;
}

/** A node that is asked once, before a process relies on it. */
export interface CheckedNode {
  /** The only part of its URL that may be shown. */
  readonly host: string;
  readonly url: string;
  /** Whether blocks are read from it. Another node only announces them, and without it they are noticed later. */
  readonly isRead: boolean;
  /**
   * Asks whether it is of the configured chain, and for its head; undefined for a node that only announces heads.
   *
   * @throws SourceFault; the signal's reason
   */
  ask(signal: AbortSignal): Promise<CheckedHead | undefined>;
}

/** Returns the nodes of a chain in the operator's order. */
export type CheckedNodes<Of extends Chain> = (chain: Of) => readonly CheckedNode[];
