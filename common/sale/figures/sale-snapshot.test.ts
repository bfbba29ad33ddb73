import { describe, expect, it } from "vitest";
import { recordOf } from "../../../services/commitments/testing/samples.ts";
import { compareLatest } from "./sale-snapshot.ts";

describe("the order of the latest", () => {
  it("is by creation time descending, then by commitment ID ascending", () => {
    const at = (number: number, createdAtSeconds: bigint) => recordOf(number, { createdAtSeconds });
    const expected = [at(9, 30n), at(2, 20n), at(10, 20n), at(255, 20n), at(1, 10n)];
    expect(expected.toReversed().sort(compareLatest)).toEqual(expected);
  });

  it("compares times beyond 2^53 exactly", () => {
    const earlier = recordOf(1, { createdAtSeconds: 2n ** 53n });
    const later = recordOf(2, { createdAtSeconds: 2n ** 53n + 1n });
    expect([earlier, later].sort(compareLatest)).toEqual([later, earlier]);
  });

  it("takes a commitment for equal to itself", () => {
    expect(compareLatest(recordOf(1), recordOf(1))).toBe(0);
  });
});
