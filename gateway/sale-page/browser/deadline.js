// @ts-check

/** Longest time that an answer may take, its body included. */
export const DEADLINE_MS = 10_000;

/**
 * Fetches with a deadline: a server that hangs would otherwise be waited for until the page is closed.
 *
 * @param {string} url
 * @param {RequestInit} [init]
 */
export function fetchInTime(url, init) {
  const deadline = new AbortController();
  setTimeout(() => deadline.abort(), DEADLINE_MS);
  return fetch(url, { ...init, signal: deadline.signal });
}
