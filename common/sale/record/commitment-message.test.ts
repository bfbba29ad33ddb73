import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CommitmentRecordSchema } from "../../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import { hexOfBytes } from "../../platform/encoding/hex.ts";
import { type RecordedCommitment, recordMessage, recordOf } from "./commitment-message.ts";

const hex = (bytes: number) => fc.uint8Array({ minLength: bytes, maxLength: bytes }).map(hexOfBytes);
const uint = (bits: bigint) => fc.bigInt({ min: 0n, max: 2n ** bits - 1n });
const arbitraryCommitment: fc.Arbitrary<RecordedCommitment> = fc.record(
  {
    commitmentId: hex(32),
    entityId: hex(16),
    createdAtSeconds: uint(64n),
    priceTicks: uint(160n),
    lockup: fc.boolean(),
    refunded: fc.boolean(),
    amounts: fc.array(fc.record({ wallet: hex(20), token: hex(20), amount: uint(256n) }), { maxLength: 4 }),
    extraData: fc.uint8Array({ maxLength: 64 }).map((bytes) => new Uint8Array(bytes)),
    sourceIndex: uint(63n),
    demand: uint(256n),
  },
  {
    requiredKeys: [
      "commitmentId",
      "entityId",
      "createdAtSeconds",
      "priceTicks",
      "lockup",
      "refunded",
      "amounts",
      "extraData",
    ],
  },
);
const sample: RecordedCommitment = {
  commitmentId: "01".repeat(32),
  entityId: "02".repeat(16),
  createdAtSeconds: 1_769_860_800n,
  priceTicks: 2n ** 160n - 1n,
  lockup: true,
  refunded: false,
  amounts: [{ wallet: "w", token: "t", amount: 2n ** 256n - 1n }],
  extraData: new Uint8Array([1, 2]),
  sourceIndex: 0n,
};

describe("a commitment as a message", () => {
  it("comes back as it was, over the wire, too", () => {
    fc.assert(
      fc.property(arbitraryCommitment, (row) => {
        const wire = toBinary(CommitmentRecordSchema, recordMessage(row));
        expect(recordOf(fromBinary(CommitmentRecordSchema, wire))).toEqual(row);
      }),
    );
  });

  it("is the message that `create` makes", () => {
    fc.assert(
      fc.property(arbitraryCommitment, (row) => {
        const { $typeName: _, amounts, ...fields } = recordMessage(row);
        const init = { ...fields, amounts: amounts.map(({ $typeName: __, ...amount }) => amount) };
        expect(recordMessage(row)).toEqual(create(CommitmentRecordSchema, init));
      }),
    );
  });

  it("keeps every integer exact", () => {
    const message = recordMessage(sample);
    expect(message.amounts[0]?.amount).toBe(
      "115792089237316195423570985008687907853269984665640564039457584007913129639935",
    );
    expect(message.priceTicks).toBe(String(2n ** 160n - 1n));
    expect(message.sourceIndex).toBe(0n);
    expect(message.demand).toBe("");
    expect(recordMessage({ ...sample, demand: 0n }).demand).toBe("0");
  });

  it("keeps nothing of the buffers that it was made of", () => {
    const extraData = new Uint8Array([1, 2]);
    const message = recordMessage({ ...sample, extraData });
    extraData[0] = 9;
    expect(message.extraData).toEqual(new Uint8Array([1, 2]));
    expect(message.commitmentId.buffer.byteLength).toBe(32);
  });
});
