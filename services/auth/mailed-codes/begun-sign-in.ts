import { CODE_MAILS_AN_HOUR, CODE_PAUSE_MS, MAILED_CODE_TRIES } from "../base/lifetimes.ts";
import { HOUR_MS, hourOf } from "./send-limit.ts";

/**
 * One of the times that a code was sent to a browser, or seemed to be, for a sign-in to the same address and for the same purpose
 * that isn't complete.
 */
export interface BegunSignIn {
  readonly beganAtMs: bigint;
  readonly expiresAtMs: bigint;
  readonly tries: number;
}

/** The state of a sign-in, as its own browser may see it. */
export interface SignInState {
  /** When the latest code was asked for; undefined if none was in the last 70 minutes. */
  readonly askedAtMs: bigint | undefined;
  /** When the next code can be sent: now, or later. */
  readonly nextSendAtMs: bigint;
  /** The codes that can still be sent in this hour of the clock. */
  readonly sendsLeft: number;
  /** The tries that are left; 0 where no code can complete the sign-in. */
  readonly triesLeft: number;
}

/** Whether codes that were sent for it can still be tried. */
export function isTriable({ expiresAtMs, tries }: Pick<BegunSignIn, "expiresAtMs" | "tries">, nowMs: bigint): boolean {
  return expiresAtMs > nowMs && tries < MAILED_CODE_TRIES;
}

/** Returns the tries with which another sign-in of the same kind begins: those of the codes that can still be tried. */
export function triesSoFar(begun: readonly BegunSignIn[], nowMs: bigint): number {
  return Math.max(0, ...begun.filter((each) => isTriable(each, nowMs)).map(({ tries }) => tries));
}

/**
 * Returns the state of a sign-in. It depends on nothing but what this browser has done, so that a page may show it.
 *
 * @param begun all of the browser's for the same address and purpose
 */
export function signInState(begun: readonly BegunSignIn[], nowMs: bigint): SignInState {
  const triable = begun.filter((each) => isTriable(each, nowMs));
  const sentInHour = begun.filter(({ beganAtMs }) => isInHourOf(beganAtMs, nowMs)).length;
  const sendsLeft = Math.max(0, CODE_MAILS_AN_HOUR - sentInHour);
  const pauseEndsAtMs = (latest(triable) ?? -CODE_PAUSE_MS) + CODE_PAUSE_MS;
  const limitEndsAtMs = sendsLeft === 0 ? (hourOf(nowMs) + 1n) * HOUR_MS : 0n;
  return {
    askedAtMs: latest(begun),
    nextSendAtMs: [pauseEndsAtMs, limitEndsAtMs].reduce((later, each) => (each > later ? each : later), nowMs),
    sendsLeft,
    triesLeft: triable.length === 0 ? 0 : MAILED_CODE_TRIES - triesSoFar(triable, nowMs),
  };
}

function isInHourOf(atMs: bigint, nowMs: bigint): boolean {
  return hourOf(atMs) === hourOf(nowMs);
}

function latest(begun: readonly BegunSignIn[]): bigint | undefined {
  return begun.map(({ beganAtMs }) => beganAtMs).toSorted((left, right) => Number(right - left))[0];
}
