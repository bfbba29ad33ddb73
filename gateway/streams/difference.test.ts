import { create, type MessageInitShape } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CommitmentDataSchema, type CommitmentSchema } from "../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import { type PublicBody, publicBody } from "../public-read/cache/public-body.ts";
import { applyDifference } from "../testing/apply-event.ts";
import { differenceJson } from "./difference.ts";

interface Row {
  readonly id: number;
  readonly created: number;
  readonly note: string;
}

const rows = fc.uniqueArray(fc.record({ id: fc.nat(12), created: fc.nat(3), note: fc.string() }), {
  selector: ({ id }) => id,
  maxLength: 10,
});
const bodies = fc.record({ rows, total: fc.bigInt({ min: 0n, max: 2n ** 256n }), clearing: fc.boolean() });

/** A body whose list is in the order that the contract demands. */
function bodyOf({ rows, total, clearing }: { rows: readonly Row[]; total: bigint; clearing: boolean }): PublicBody {
  const data = create(CommitmentDataSchema, {
    commitments: rows.toSorted((a, b) => b.created - a.created || a.id - b.id).map(commitmentOf),
    totalAmount: total.toString(),
    commitmentCount: total % 2n ** 64n,
    paymentTokenDecimals: 6,
    ...(clearing && { clearingPrice: { price: { numerator: "3", denominator: "10" } } }),
  });
  return publicBody(data);
}

function commitmentOf({ id, created, note }: Row): MessageInitShape<typeof CommitmentSchema> {
  return {
    commitmentId: new Uint8Array(32).fill(id),
    entityId: new Uint8Array(16),
    price: { numerator: "1", denominator: "2" },
    createdAtSeconds: BigInt(created),
    // Text that looks like the end of the list.
    extraDataParsed: { note, list: ["x"], TotalCommitmentAmount: ',"TotalCommitmentAmount":' },
  };
}

describe("differenceJson", () => {
  it("makes any body of any other", () => {
    fc.assert(
      fc.property(bodies, bodies, (before, after) => {
        const [from, to] = [bodyOf(before), bodyOf(after)];
        const json = differenceJson("a-1", from, to) ?? "";
        expect(applyDifference(JSON.parse(from.bytes().toString()), json)).toEqual(JSON.parse(to.bytes().toString()));
        const count = /"UniqueCommitmentCount":\d+/;
        expect(count.exec(json)?.[0]).toBe(count.exec(to.bytes().toString())?.[0]);
      }),
    );
  });

  it("holds only what has changed", () => {
    const row = (id: number, note = "") => ({ id, created: 9 - id, note });
    const before = bodyOf({ rows: [row(1), row(2), row(3)], total: 3n, clearing: false });
    const after = bodyOf({ rows: [row(0), row(1), row(3, "new")], total: 4n, clearing: false });
    const { Removed, Upserted, Totals } = JSON.parse(differenceJson("a-1", before, after) ?? "");
    expect(Removed).toEqual([`0x${"02".repeat(32)}`]);
    expect(Upserted.map(({ Index }: { Index: number }) => Index)).toEqual([0, 2]);
    expect(Totals).toEqual({ TotalCommitmentAmount: "4", UniqueCommitmentCount: 4, PaymentTokenDecimals: 6 });
  });

  it("isn't made where what stays has changed its order", () => {
    const listed = ["a", "b"].map((commitmentId) => ({
      commitmentId,
      createdAtSeconds: 0n,
      json: commitmentId,
      jsonBytes: 1,
    }));
    const before = { listed, figuresJson: "" };
    expect(differenceJson("a-1", before, { ...before, listed: listed.toReversed() })).toBeUndefined();
  });
});
