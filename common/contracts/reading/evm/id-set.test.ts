import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { IdSet } from "./id-set.ts";

function hashed(number: number): string {
  return createHash("sha256").update(String(number)).digest("hex");
}

/** IDs like those of contracts, which differ only in the last bits of the first half. */
function padded(number: number): string {
  return number.toString(16).padStart(32, "0").padEnd(64, "0");
}

describe("IdSet", () => {
  it.each([
    ["hashes", hashed],
    ["padded numbers", padded],
  ])("has exactly the IDs that were added: %s", (_, idOf) => {
    const set = new IdSet();
    for (let number = 0; number < 20_000; number += 1) expect(set.add(idOf(number))).toBe(true);
    expect(set.size).toBe(20_000);
    for (let number = 0; number < 20_000; number += 1) {
      if (set.add(idOf(number)) || !set.has(idOf(number))) throw new Error(`${number} was forgotten`);
      if (set.has(idOf(number + 20_000))) throw new Error(`${number + 20_000} was never added`);
    }
    expect(set.size).toBe(20_000);
  });

  it("distinguishes IDs that differ in any one digit", () => {
    const set = new IdSet();
    const base = hashed(1);
    for (let at = 0; at < 64; at += 1) {
      const other = base.slice(0, at) + (base[at] === "0" ? "1" : "0") + base.slice(at + 1);
      expect(set.add(other)).toBe(true);
    }
    expect(set.has(base)).toBe(false);
  });

  it.each(["", "0".repeat(63), "0".repeat(65), `${"0".repeat(63)}g`])("refuses %j", (id) => {
    expect(() => new IdSet().add(id)).toThrow(RangeError);
  });
});
