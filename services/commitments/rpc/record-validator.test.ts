import { create, isMessage } from "@bufbuild/protobuf";
import { createValidator, type Validator } from "@bufbuild/protovalidate";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ApplyCommitmentsRequestSchema } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { withFastRecords } from "./record-validator.ts";

const standard = createValidator();
const UUID = "0b8f6a52-7c1e-4d5e-9a55-0f3d8f0a9c11";

const lengthsAround = (length: number) =>
  fc.constantFrom(0, length - 1, length, length, length, length + 1).map((bytes) => new Uint8Array(bytes));
const address = fc.oneof(
  fc.constantFrom("", "x", "x".repeat(64), "x".repeat(65), "\u{1f600}".repeat(40)),
  fc.string({ minLength: 1, maxLength: 64 }),
);
const amount = fc.oneof(
  fc.constantFrom("", "0", "01", "-1", "+1", "1.0", "1\n", " 1", "0x1", "1".repeat(78), "1".repeat(79), "١"),
  fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map(String),
);
const record = fc.record({
  commitmentId: lengthsAround(32),
  entityId: lengthsAround(16),
  createdAtSeconds: fc.constantFrom(0n, 253_402_300_799n, 253_402_300_800n, 2n ** 64n - 1n),
  priceTicks: fc.constantFrom(0n, 2n ** 64n - 1n),
  amounts: fc.oneof(
    fc.array(fc.record({ wallet: address, token: address, amount }), { maxLength: 3 }),
    fc.constantFrom(1024, 1025).map((count) => Array(count).fill({ wallet: "w", token: "t", amount: "1" })),
  ),
  extraData: fc.constantFrom(0, 65_536, 65_537).map((bytes) => new Uint8Array(bytes)),
  sourceIndex: fc.option(fc.constantFrom(0n, 2n ** 63n - 1n, 2n ** 63n), { nil: undefined }),
});

function requestOf(upserts: readonly object[], change: object = {}) {
  return create(ApplyCommitmentsRequestSchema, { saleUuid: UUID, requestId: UUID, upserts: [...upserts], ...change });
}

/** Its kind and, where it is invalid, each field and rule. */
function verdict(validator: Validator, request: ReturnType<typeof requestOf>) {
  const { kind, violations = [] } = validator.validate(ApplyCommitmentsRequestSchema, request);
  return [kind, ...violations.map((violation) => `${violation}`)];
}

describe("a validator with fast records", () => {
  it("says what the standard one says, of right records and of wrong ones", () => {
    const fast = withFastRecords(standard);
    fc.assert(
      fc.property(fc.array(record, { maxLength: 3 }), (upserts) => {
        const request = requestOf(upserts);
        expect(verdict(fast, request)).toEqual(verdict(standard, request));
      }),
    );
  });

  it("sees what is wrong beside the records", () => {
    const wrong = requestOf([], { requestId: "1", removals: [new Uint8Array(31)], stage: 9 });
    const said = verdict(withFastRecords(standard), wrong);
    expect(said).toHaveLength(4);
    expect(said).toEqual(verdict(standard, wrong));
  });

  it("keeps right records away from the standard one", () => {
    let asked: number | undefined;
    const fast = withFastRecords({
      validate(schema, message) {
        if (isMessage(message, ApplyCommitmentsRequestSchema)) asked = message.upserts.length;
        return standard.validate(schema, message);
      },
    });
    const right = {
      commitmentId: new Uint8Array(32),
      entityId: new Uint8Array(16),
      amounts: [{ wallet: "w", token: "t", amount: "1" }],
    };
    fast.validate(ApplyCommitmentsRequestSchema, requestOf([right, { ...right, sourceIndex: 1n }]));
    expect(asked).toBe(0);
    fast.validate(ApplyCommitmentsRequestSchema, requestOf([right, { ...right, entityId: new Uint8Array(15) }]));
    expect(asked).toBe(2);
  });
});
