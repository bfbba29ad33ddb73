import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bodyOfBytes } from "../../testing/body-of-bytes.ts";
import { firstLoaded } from "./freshness.ts";
import { Representation } from "./representation.ts";
import { RepresentationStore } from "./representation-store.ts";

const bodyOf = (length: number) => new Representation(1n, 1n, bodyOfBytes(Buffer.alloc(length)));
const at = (now: number) => ({ freshness: firstLoaded(0, now), feed: { state: undefined, knownAt: 0 }, now });
const COST = bodyOf(100).byteLength;

describe("RepresentationStore", () => {
  it("evicts the sale that wasn't read since it came", () => {
    const store = new RepresentationStore({ maxBytes: 2 * COST, maxSales: 10 });
    store.add("a", bodyOf(100), at(1)).lastReadAt = 2;
    store.add("b", bodyOf(100), at(1));
    store.add("c", bodyOf(100), at(3));
    expect(Array.from(store.values(), ({ uuid }) => uuid).sort()).toStrictEqual(["a", "c"]);
  });

  it("gives a second chance once: without another read the sale goes next", () => {
    const store = new RepresentationStore({ maxBytes: 2 * COST, maxSales: 10 });
    store.add("a", bodyOf(100), at(1)).lastReadAt = 2;
    for (const uuid of ["b", "c", "d", "e"]) store.add(uuid, bodyOf(100), at(3));
    expect(Array.from(store.values(), ({ uuid }) => uuid)).toStrictEqual(["d", "e"]);
  });

  it("bounds the number of sales, too", () => {
    const store = new RepresentationStore({ maxBytes: 100 * COST, maxSales: 2 });
    for (const uuid of ["a", "b", "c"]) store.add(uuid, bodyOf(1), at(1));
    expect(store.size).toBe(2);
    expect(store.get("a")).toBeUndefined();
  });

  it("makes room where a body grows, and keeps a body that is larger than the bound alone", () => {
    const store = new RepresentationStore({ maxBytes: 2 * COST, maxSales: 10 });
    store.add("a", bodyOf(100), at(1));
    const sale = store.add("b", bodyOf(100), at(1));
    store.replace(sale, bodyOf(100_000));
    expect(Array.from(store.values(), ({ uuid }) => uuid)).toStrictEqual(["b"]);
  });

  it("keeps its count of bytes right and within the bound, whatever happens", () => {
    const step = fc.record({
      what: fc.constantFrom("add", "replace", "delete", "read"),
      uuid: fc.constantFrom("a", "b", "c", "d", "e"),
      length: fc.integer({ min: 0, max: 10_000 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const store = new RepresentationStore({ maxBytes: 50_000, maxSales: 4 });
        steps.forEach(({ what, uuid, length }, now) => {
          const sale = store.get(uuid);
          if (what === "add") store.add(uuid, bodyOf(length), at(now));
          else if (what === "delete") store.delete(uuid);
          else if (what === "read" && sale !== undefined) sale.lastReadAt = now;
          else if (what === "replace" && sale !== undefined) store.replace(sale, bodyOf(length));
          const held = Array.from(store.values(), ({ representation }) => representation.byteLength);
          expect(store.bytes).toBe(held.reduce((sum, bytes) => sum + bytes, 0));
          expect(store.size).toBeLessThanOrEqual(4);
          expect(store.bytes).toBeLessThanOrEqual(50_000);
        });
      }),
    );
  });
});
