/** The lag of a node behind the other nodes of its chain. */
export interface NodeHead {
  readonly host: string;
  /** Blocks or slots. */
  readonly behindBy: bigint;
  /** The problem because of which the node may not be asked; absent if it is healthy. */
  readonly problem?: string;
  /** Methods that it refuses again and again while it answers others; absent if there are none. */
  readonly refusedMethods?: readonly string[];
}
