/** A process whose CPU time counts. */
export interface MeasuredProcess {
  readonly name: string;
  readonly pid: number;
}

/** An authorization server that is measured. */
export interface Contestant {
  readonly authorizeUrl: string;
  readonly tokenUrl: string;
  /** All processes that work for it. */
  readonly processes: readonly MeasuredProcess[];
  /** Issues codes that nobody has redeemed. */
  prepareCodes(count: number): Promise<readonly string[]>;
  /** Returns the cookies of a number of browsers, in each of which a user is signed in, or will be without a question. */
  browsers(count: number): Promise<readonly string[]>;
}
