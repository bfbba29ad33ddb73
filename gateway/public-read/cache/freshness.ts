/** Shortest time between two loads of a sale. */
export const MIN_LOAD_INTERVAL_MS = 100;

/**
 * Time for which a body built from events is believed. After that only a full load of the sale makes it current
 * again.
 */
const TRUST_EVENTS_MS = 60_000;
/**
 * Range of the time after which a body built from events is loaded in full, while readers still get it. Each sale has
 * a random time: sales whose first events came together would otherwise be loaded together every time.
 */
const RELOAD_AFTER_MS = { least: 30_000, most: 50_000 };
/** Time to the next full load, where the last one failed or was overtaken by an event. */
const RELOAD_AGAIN_MS = 5_000;

/**
 * Knowledge of how current a held body is. All times are those of one monotonic clock, in milliseconds. A value never
 * changes: the functions below that aren't questions return the next value.
 */
export interface Freshness {
  /**
   * The body was current at this time or later. It is the time at which the request was sent that brought or
   * confirmed the body, so the age is never understated.
   */
  readonly confirmedAt: number;
  /** Time at which this body took the place of another. */
  readonly replacedAt: number;
  readonly source: Source;
  /** Time of the last failed load; undefined once the body has been confirmed since. */
  readonly failedAt: number | undefined;
}

/** Origin of a body: one load, or a load and the events after it. */
type Source =
  | { readonly kind: "loaded" }
  /** Can advance and be confirmed until `trustedUntil`; a full load is due from `reloadFrom`. */
  | { readonly kind: "events"; readonly trustedUntil: number; readonly reloadFrom: number };

const LOADED: Source = { kind: "loaded" };

/** A sale that wasn't held is loaded. */
export function firstLoaded(loadedAt: number, now: number): Freshness {
  return { confirmedAt: loadedAt, replacedAt: now, source: LOADED, failedAt: undefined };
}

/** A load brings another body. */
export function reloaded(freshness: Freshness, loadedAt: number, now: number): Freshness {
  return { ...confirmed(freshness, loadedAt), replacedAt: now, source: LOADED };
}

/** The commitments service says that the body was current at a time. */
export function confirmed(freshness: Freshness, at: number): Freshness {
  return { ...freshness, confirmedAt: Math.max(freshness.confirmedAt, at), failedAt: undefined };
}

/**
 * An event makes the next body. That confirms nothing: there may be later events that didn't arrive.
 *
 * @param random from 0 up to, but not including, 1
 */
export function advanced(freshness: Freshness, now: number, random: () => number): Freshness {
  if (freshness.source.kind === "events") return { ...freshness, replacedAt: now };
  const { least, most } = RELOAD_AFTER_MS;
  const reloadFrom = now + least + (most - least) * random();
  const source = { kind: "events", trustedUntil: now + TRUST_EVENTS_MS, reloadFrom } as const;
  return { ...freshness, replacedAt: now, source };
}

/** A load fails. */
export function failed(freshness: Freshness, now: number): Freshness {
  return { ...freshness, failedAt: now };
}

/** A full load is asked for; the next one isn't due at once. */
export function reloadRequested(freshness: Freshness, now: number): Freshness {
  const { source } = freshness;
  if (source.kind === "loaded") return freshness;
  return { ...freshness, source: { ...source, reloadFrom: now + RELOAD_AGAIN_MS } };
}

/** Whether the body was confirmed within `maxAgeMs`. */
export function isWithinAge({ confirmedAt }: Freshness, now: number, maxAgeMs: number): boolean {
  return now - confirmedAt <= maxAgeMs;
}

/** Whether the last load failed less than `windowMs` ago. */
export function failedLately({ failedAt }: Freshness, now: number, windowMs: number): boolean {
  return failedAt !== undefined && now - failedAt < windowMs;
}

/** Whether an event may make the next body, and an answer about the revision may confirm the body. */
export function isTrusted({ source }: Freshness, now: number): boolean {
  return source.kind === "loaded" || now <= source.trustedUntil;
}

/** Whether only an event says that there is this body: the commitments service wasn't asked after it came. */
export function isOnlyByEvent({ source, confirmedAt, replacedAt }: Freshness): boolean {
  return source.kind === "events" && replacedAt >= confirmedAt;
}

/** Whether the sale must be loaded in full, because its body has been built from events for too long. */
export function reloadIsDue({ source }: Freshness, now: number): boolean {
  return source.kind === "events" && now > source.reloadFrom;
}

/** Whether `MIN_LOAD_INTERVAL_MS` have passed since the last load or confirmation. */
export function mayLoadAgain({ confirmedAt, failedAt = -Infinity }: Freshness, now: number): boolean {
  return now - Math.max(confirmedAt, failedAt) >= MIN_LOAD_INTERVAL_MS;
}

/** Time until a sale may be loaded for a reader who can't use the held body, in milliseconds. */
export function loadWaitMs({ confirmedAt }: Freshness, now: number): number {
  return Math.min(Math.max(confirmedAt + MIN_LOAD_INTERVAL_MS - now, 0), MIN_LOAD_INTERVAL_MS);
}

/** Whole seconds since the body was confirmed; undefined up to `maxStaleMs`. */
export function ageSeconds(freshness: Freshness, now: number, maxStaleMs: number): number | undefined {
  if (isWithinAge(freshness, now, maxStaleMs)) return undefined;
  return Math.floor((now - freshness.confirmedAt) / 1000);
}
