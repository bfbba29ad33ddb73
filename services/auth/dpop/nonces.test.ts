import { expect, it } from "vitest";
import { DpopNonces, NONCE_LIFETIME_MS } from "./nonces.ts";

const MINUTE_MS = 60_000n;

function given(key = 1) {
  const state = { nowMs: 1_000_000n * MINUTE_MS };
  const nonces = new DpopNonces({ derivedKeys: { dpopNonce: Buffer.alloc(32, key) }, clock: () => state.nowMs });
  return { state, nonces };
}

it("changes every minute, and is the same in every process", () => {
  const { state, nonces } = given();
  const first = nonces.present();
  expect(first).toMatch(/^[A-Za-z0-9_-]{43}$/);
  state.nowMs += MINUTE_MS - 1n;
  expect(nonces.present()).toBe(first);
  state.nowMs += 1n;
  expect(nonces.present()).not.toBe(first);
  expect(given().nonces.present()).toBe(first);
});

it("accepts a nonce for two minutes after the one of it, and no longer than its lifetime", () => {
  const { state, nonces } = given();
  const early = given();
  early.state.nowMs += MINUTE_MS;
  const next = early.nonces.present();
  const usedFirstMs = state.nowMs;
  expect(nonces.accepts(next)).toBe(true);
  state.nowMs += 4n * MINUTE_MS - 1n;
  expect(nonces.accepts(next)).toBe(true);
  state.nowMs += 1n;
  expect(nonces.accepts(next)).toBe(false);
  expect(state.nowMs - usedFirstMs).toBe(NONCE_LIFETIME_MS);
});

it("accepts no nonce of another key, of the future, or of nobody", () => {
  const { nonces } = given();
  const later = given();
  later.state.nowMs += 2n * MINUTE_MS;
  for (const nonce of [given(2).nonces.present(), later.nonces.present(), "", "nonce"]) {
    expect(nonces.accepts(nonce)).toBe(false);
  }
});
