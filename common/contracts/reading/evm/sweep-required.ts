/** Thrown if a partial read can't be trusted, so that the whole contract must be read. The message says why. */
export class SweepRequired extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = "SweepRequired";
  }
}

/** Thrown if answers about blocks don't match. It may pass: some nodes have a block's logs later than its state, or the other way around. */
export class LateLogs extends SweepRequired {}

/** Thrown if a position is no longer part of the chain. */
export class PositionAbandoned extends SweepRequired {
  constructor() {
    super("the chain was re-organised");
  }
}
