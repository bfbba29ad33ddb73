/** A process whose CPU time counts. */
export interface MeasuredProcess {
  readonly name: string;
  readonly pid: number;
}

/** An authorization server under measurement. */
export interface Contestant {
  readonly authorizeUrl: string;
  readonly tokenUrl: string;
  /** Those that do its work. */
  readonly processes: readonly MeasuredProcess[];
  /** Issues codes that nobody has redeemed. */
  prepareCodes(count: number): Promise<readonly string[]>;
  /** Cookies of that many browsers, each of which somebody has signed in with, or will without being asked anything. */
  browsers(count: number): Promise<readonly string[]>;
}
