/** A partial reading can't be vouched for; the contract has to be read as a whole. Its message says why. */
export class SweepRequired extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = "SweepRequired";
  }
}

/** What a node's state and its logs lead to isn't the same, as it is where the logs of a block come later than its state. */
export class LateLogs extends SweepRequired {}
