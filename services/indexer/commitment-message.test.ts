import { fromBinary, toBinary } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CommitmentRecordSchema } from "../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import { SaleStage } from "../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { hexOfBytes, messageBytes } from "../shared/hex.ts";
import { commitmentOf, recordMessage, stageMessage } from "./commitment-message.ts";
import type { SourceCommitment } from "./source-reader.ts";
import { commitment } from "./testing/samples.ts";

const hex = (bytes: number) => fc.uint8Array({ minLength: bytes, maxLength: bytes }).map(hexOfBytes);
const uint = (bits: bigint) => fc.bigInt({ min: 0n, max: 2n ** bits - 1n });
const arbitraryCommitment: fc.Arbitrary<SourceCommitment> = fc.record({
  commitmentId: hex(32),
  entityId: hex(16),
  createdAtSeconds: uint(64n),
  priceTicks: uint(64n),
  lockup: fc.boolean(),
  refunded: fc.boolean(),
  amounts: fc.array(fc.record({ wallet: hex(20), token: hex(20), amount: uint(256n) }), { maxLength: 4 }),
  extraData: fc.uint8Array({ maxLength: 64 }).map((bytes) => new Uint8Array(bytes)),
  sourceIndex: uint(63n),
});

describe("a commitment as a message", () => {
  it("comes back as it was, over the wire, too", () => {
    fc.assert(
      fc.property(arbitraryCommitment, (row) => {
        const wire = toBinary(CommitmentRecordSchema, recordMessage(row));
        expect(commitmentOf(fromBinary(CommitmentRecordSchema, wire))).toEqual(row);
      }),
    );
  });

  it("says every integer exactly", () => {
    const amounts = [{ wallet: "w", token: "t", amount: 2n ** 256n - 1n }];
    const message = recordMessage(commitment(1, { amounts, priceTicks: 2n ** 64n - 1n, sourceIndex: 0n }));
    expect(message.amounts[0]?.amount).toBe(
      "115792089237316195423570985008687907853269984665640564039457584007913129639935",
    );
    expect(message.priceTicks).toBe(18446744073709551615n);
    expect(message.sourceIndex).toBe(0n);
  });

  it("keeps nothing of the buffers that it was made of", () => {
    const extraData = new Uint8Array([1, 2]);
    const message = recordMessage(commitment(1, { extraData }));
    extraData[0] = 9;
    expect(message.extraData).toEqual(new Uint8Array([1, 2]));
    expect(message.commitmentId.buffer.byteLength).toBe(32);
  });
});

describe("hexOfBytes and messageBytes", () => {
  it("look at the view, not at the buffer behind it", () => {
    const view = new Uint8Array([1, 2, 0xab, 4]).subarray(2, 3);
    expect(hexOfBytes(view)).toBe("ab");
    expect(messageBytes("00ff")).toEqual(new Uint8Array([0, 255]));
    expect([hexOfBytes(new Uint8Array()), messageBytes("")]).toEqual(["", new Uint8Array()]);
  });
});

describe("stageMessage", () => {
  it.each([
    ["pre_open", SaleStage.PRE_OPEN],
    ["commitment", SaleStage.COMMITMENT],
    ["cancellation", SaleStage.CANCELLATION],
    ["settlement", SaleStage.SETTLEMENT],
    ["done", SaleStage.DONE],
    [undefined, SaleStage.UNSPECIFIED],
  ] as const)("says %s as %s", (stage, message) => {
    expect(stageMessage(stage)).toBe(message);
  });
});
