/** Usage of a pool of connections. Its driver keeps the numbers up to date. */
export interface PoolUsage {
  /** The most connections that the pool may have. */
  readonly size: number;
  /** Connections in use. */
  busy: number;
  /** Calls that wait for a connection. */
  waiting: number;
}
