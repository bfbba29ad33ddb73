import { describe, expect, it } from "vitest";
import { KNOWN_BROWSER_MS } from "../base/lifetimes.ts";
import { isKnownBrowser, withKnownAddress } from "./known-browser.ts";

const KEY = Buffer.alloc(32, 1);
const EMAIL = "a@example.com";
const NOW = 1_800_000_000_000n;

const knows = (marks: string, email = EMAIL, nowMs = NOW, key = KEY) => isKnownBrowser(key, marks, email, nowMs);

describe("a browser's marks", () => {
  const marks = withKnownAddress(KEY, "", EMAIL, NOW);

  it("name the address that it signed in to, and no other", () => {
    expect(knows(marks)).toBe(true);
    expect(knows(marks, "b@example.com")).toBe(false);
    expect(knows("")).toBe(false);
  });

  it("hold nothing of the address, and nobody without the key can make one", () => {
    expect(Buffer.from(marks, "base64url").toString("latin1")).not.toContain("example");
    expect(knows(marks, EMAIL, NOW, Buffer.alloc(32, 2))).toBe(false);
    for (let index = 0; index < marks.length; index += 1) {
      const other = marks[index] === "A" ? "B" : "A";
      expect(knows(marks.slice(0, index) + other + marks.slice(index + 1))).toBe(false);
    }
  });

  it("end after 90 days, and begin anew with each sign-in", () => {
    expect(knows(marks, EMAIL, NOW + KNOWN_BROWSER_MS - 1n)).toBe(true);
    expect(knows(marks, EMAIL, NOW + KNOWN_BROWSER_MS)).toBe(false);
    const again = withKnownAddress(KEY, marks, EMAIL, NOW + 1n);
    expect(again).toHaveLength(marks.length);
    expect(knows(again, EMAIL, NOW + KNOWN_BROWSER_MS)).toBe(true);
  });

  it("keep the last four addresses", () => {
    const emails = ["a", "b", "c", "d", "e"].map((name) => `${name}@example.com`);
    const all = emails.reduce((before, email) => withKnownAddress(KEY, before, email, NOW), "");
    expect(emails.map((email) => knows(all, email))).toEqual([false, true, true, true, true]);
    expect(all.length).toBeLessThanOrEqual(512);
  });

  it("are ignored where they are anything else", () => {
    for (const text of [".", "...", "x".repeat(512), `${"A".repeat(54)}.`, "\u0000", `.....${marks}`]) {
      expect(knows(text)).toBe(false);
      expect(knows(withKnownAddress(KEY, text, EMAIL, NOW))).toBe(true);
    }
  });
});
