import { gunzipSync } from "node:zlib";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it, vi } from "vitest";
import { CommitmentDataSchema } from "../../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import { bodyOfBytes } from "../../testing/body-of-bytes.ts";
import { publicBody } from "./public-body.ts";
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

  it("packed, has the same bytes and body in a fraction of the memory, and needs no compression", async () => {
    const id = (index: number) => Uint8Array.from({ length: 16 }, (_, at) => (index * 31 + at * 7) % 256);
    const body = publicBody(
      create(CommitmentDataSchema, {
        totalAmount: "5",
        commitmentCount: 100n,
        paymentTokenDecimals: 6,
        commitments: Array.from({ length: 100 }, (_, index) => ({
          commitmentId: id(index),
          entityId: id(index + 1),
          price: { numerator: "1", denominator: "3" },
          amounts: [{ wallet: `W\u00e4hrung "${index}"`, token: "0xaa", amount: String(index) }],
          createdAtSeconds: BigInt(1_700_000_000 + index),
        })),
      }),
    );
    const representation = new Representation(1n, 1n, body);
    const { bytes } = representation.identity;
    const before = representation.byteLength;
    representation.pack();
    const unpacking = vi.spyOn(representation, "identity", "get");
    expect(representation.gzipped?.bytes.length).toBeLessThan(representation.byteLength);
    expect(representation.bodyBytes).toBe(bytes.length);
    expect(unpacking).not.toHaveBeenCalled();
    unpacking.mockRestore();
    expect(representation.identity.bytes.equals(bytes)).toBe(true);
    expect(representation.body).toEqual(body);
    expect(representation.gzipped).toBe(await representation.compress());
    expect(gunzipSync(representation.gzipped?.bytes ?? "").equals(bytes)).toBe(true);
    expect(representation.byteLength).toBeLessThan(before / 3);
    expect(new Representation(1n, 1n, body).after(representation).correction).toBe(0);
  });

  it("counts its bytes with the compressed form that may come", async () => {
    const representation = new Representation(1n, 1n, bodyOfBytes(large));
    const before = representation.byteLength;
    const { bytes } = await representation.compress();
    expect(representation.byteLength).toBe(before);
    expect(before).toBeGreaterThan(large.length + bytes.length);
  });
});
