import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CODE_MAILS_AN_HOUR, CODE_PAUSE_MS, MAILED_CODE_LIFETIME_MS, MAILED_CODE_TRIES } from "../base/lifetimes.ts";
import { type BegunSignIn, signInState, triesSoFar } from "./begun-sign-in.ts";
import { HOUR_MS } from "./send-limit.ts";

const HOUR_START = 500_000n * HOUR_MS;
/** A quarter past the hour. */
const NOW = HOUR_START + HOUR_MS / 4n;
const MINUTE = 60_000n;

function sent(agoMs: bigint, { tries = 0 } = {}): BegunSignIn {
  const beganAtMs = NOW - agoMs;
  return { beganAtMs, expiresAtMs: beganAtMs + MAILED_CODE_LIFETIME_MS, tries };
}

describe("the state of a sign-in", () => {
  it("lets the first code be sent at once", () => {
    expect(signInState([], NOW)).toEqual({ askedAtMs: undefined, nextSendAtMs: NOW, sendsLeft: 5, triesLeft: 0 });
  });

  it("lets the next one be sent 30 seconds after the latest", () => {
    const state = signInState([sent(5n * MINUTE), sent(10_000n)], NOW);
    expect(state).toEqual({ askedAtMs: NOW - 10_000n, nextSendAtMs: NOW + 20_000n, sendsLeft: 3, triesLeft: 5 });
    expect(signInState([sent(CODE_PAUSE_MS)], NOW).nextSendAtMs).toBe(NOW);
  });

  it("names the next hour of the clock after five", () => {
    const five = [1n, 2n, 3n, 4n, 5n].map((minutes) => sent(minutes * MINUTE));
    expect(signInState(five, NOW)).toMatchObject({ nextSendAtMs: HOUR_START + HOUR_MS, sendsLeft: 0, triesLeft: 5 });
    expect(signInState(five, HOUR_START + HOUR_MS)).toMatchObject({
      nextSendAtMs: HOUR_START + HOUR_MS,
      sendsLeft: 5,
      triesLeft: 0,
    });
  });

  it("needs no wait for a code in the place of one that can't be tried any more", () => {
    const used = signInState([sent(5_000n, { tries: MAILED_CODE_TRIES })], NOW);
    expect(used).toMatchObject({ nextSendAtMs: NOW, sendsLeft: 4, triesLeft: 0 });
  });

  it("counts tries of the codes that can be tried", () => {
    const exhausted = sent(6n * MINUTE, { tries: MAILED_CODE_TRIES });
    const begun = [exhausted, sent(2n * MINUTE, { tries: 3 })];
    expect(signInState(begun, NOW)).toEqual({
      askedAtMs: NOW - 2n * MINUTE,
      nextSendAtMs: NOW,
      sendsLeft: 3,
      triesLeft: 2,
    });
    expect(triesSoFar(begun, NOW)).toBe(3);
    expect(triesSoFar([exhausted], NOW)).toBe(0);
    expect(signInState([sent(MAILED_CODE_LIFETIME_MS)], NOW).triesLeft).toBe(0);
  });

  it("never lets more than ten codes be live, and never says that a code can be sent which then isn't", () => {
    const waits = fc.array(fc.bigInt({ min: 0n, max: 3n * MINUTE }), { maxLength: 60 });
    fc.assert(
      fc.property(waits, (each) => {
        let nowMs = NOW;
        const begun: BegunSignIn[] = [];
        for (const waitMs of each) {
          nowMs += waitMs;
          const { nextSendAtMs } = signInState(begun, nowMs);
          expect(signInState(begun, nextSendAtMs).nextSendAtMs).toBe(nextSendAtMs);
          if (nextSendAtMs > nowMs) continue;
          begun.push({ beganAtMs: nowMs, expiresAtMs: nowMs + MAILED_CODE_LIFETIME_MS, tries: 0 });
          const live = begun.filter(({ expiresAtMs }) => expiresAtMs > nowMs);
          expect(live.length).toBeLessThanOrEqual(2 * CODE_MAILS_AN_HOUR);
        }
      }),
    );
  });
});
