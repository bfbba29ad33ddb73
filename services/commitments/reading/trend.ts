const MINUTE = 60n;
const HOUR = 3600n;
const DAY = 24n * HOUR;

/** The last figures of a period of the stored history, which begins at `bucket`: seconds since 1970. */
export interface Bucket {
  readonly bucket: bigint;
}

/** Periods of a sale's history with which a trend may begin. Absent where there are none. */
export interface TrendBuckets<Point extends Bucket> {
  /** The last hour before `trendStart`. */
  readonly before: Point | undefined;
  /** The first hour since then, and the first minute that is kept. */
  readonly firstHour: Point | undefined;
  readonly firstMinute: Point | undefined;
}

/** A sale's figures at a time. */
export interface TrendBase<Point> {
  readonly point: Point;
  /** Seconds since 1970. */
  readonly atSeconds: bigint;
}

/** Returns the last full hour that is at least 24 hours ago. @param now seconds since 1970, as the result */
export function trendStart(now: bigint): bigint {
  const dayAgo = now - DAY;
  return dayAgo - (dayAgo % HOUR);
}

/**
 * Returns the figures with which a trend begins: those at `trendStart`, or the first that are known. A period's figures are
 * known exactly at its end only. Undefined where the first period isn't over.
 *
 * @param now seconds since 1970
 */
export function trendBase<Point extends Bucket>(
  { before, firstHour, firstMinute }: TrendBuckets<Point>,
  now: bigint,
): TrendBase<Point> | undefined {
  if (before !== undefined) return { point: before, atSeconds: trendStart(now) };
  if (firstHour === undefined) return undefined;
  // Minutes are kept for some hours only: the first one may be of a later hour than the first figures.
  const isFirst = firstMinute !== undefined && firstMinute.bucket < firstHour.bucket + HOUR;
  const [point, length] = isFirst ? [firstMinute, MINUTE] : [firstHour, HOUR];
  const atSeconds = point.bucket + length;
  return atSeconds > now ? undefined : { point, atSeconds };
}
