import { describe, expect, it } from "vitest";
import { PublicError } from "../../web/http/public-error.ts";
import { NegativeCache } from "./negative-cache.ts";

const unknown = new PublicError("not_found", "There is no such sale.");

describe("NegativeCache", () => {
  it("keeps an error until its time", () => {
    const cache = new NegativeCache(10);
    cache.set("a", unknown, 100);
    expect(cache.get("a", 99)).toBe(unknown);
    expect(cache.get("a", 100)).toBeUndefined();
    expect(cache.size).toBe(0);
  });

  it("holds no more than its bound and drops the least recently used", () => {
    const cache = new NegativeCache(2);
    for (const uuid of ["a", "b", "a", "c"]) cache.set(uuid, unknown, 100);
    expect(cache.size).toBe(2);
    expect(cache.get("b", 0)).toBeUndefined();
    expect(cache.get("a", 0)).toBe(unknown);
  });

  it("drops an error on demand", () => {
    const cache = new NegativeCache(2);
    cache.set("a", unknown, 100);
    cache.delete("a");
    expect(cache.get("a", 0)).toBeUndefined();
  });
});
