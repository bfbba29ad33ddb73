import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { bodyOfBytes } from "../../testing/body-of-bytes.ts";
import { Representation } from "./representation.ts";

const large = Buffer.from(JSON.stringify(Array.from({ length: 500 }, (_, index) => `amount ${index}`)));

describe("Representation", () => {
  it("makes its entity tag of generation and revision", () => {
    expect(new Representation(2n ** 64n - 1n, 12n, bodyOfBytes(large)).etag).toBe('W/"ffffffffffffffff-12"');
    expect(new Representation(1n, 0n, bodyOfBytes(large)).etag).toBe('W/"0000000000000001-0"');
  });

  it("compresses once, on demand", async () => {
    const representation = new Representation(1n, 1n, bodyOfBytes(large));
    expect(representation.gzipped).toBeUndefined();
    const [first, second] = await Promise.all([representation.compress(), representation.compress()]);
    expect(second).toBe(first);
    expect(representation.gzipped).toBe(first);
    expect(gunzipSync(first.bytes)).toStrictEqual(large);
    expect(first.headers.join("\n")).toContain(`Content-Length\n${first.bytes.length}\nContent-Encoding\ngzip`);
  });

  it("doesn't compress what fits a packet", () => {
    const representation = new Representation(1n, 1n, bodyOfBytes(Buffer.from("{}")));
    expect(representation.gzipped).toBe(representation.identity);
  });

  it("counts its bytes with the compressed form that may come", async () => {
    const representation = new Representation(1n, 1n, bodyOfBytes(large));
    const before = representation.byteLength;
    const { bytes } = await representation.compress();
    expect(representation.byteLength).toBe(before);
    expect(before).toBeGreaterThan(large.length + bytes.length);
  });
});
