/** The bidders of the continuous auction. */
export interface ContinuousBidding {
  /** The contract's address, in lower case. */
  readonly contract: string;
  /** Deploys what is missing, and places the first bids of a new auction. */
  open(): Promise<void>;
  /**
   * Takes one step: a bid, or the exit of one that was outbid; once bidding has ended, an exit or a claim, until nothing is left. After an
   * error the next step may be taken.
   */
  step(): Promise<void>;
}
