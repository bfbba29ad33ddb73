import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { expect, it } from "vitest";
import {
  CountPermitsResponseSchema,
  PermitRecordSchema,
} from "../../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import { unpainted } from "../output/paint.ts";
import { permitCounts, permitTable } from "./permit-text.ts";

it("shows permits with amounts in whole tokens, and a dash for no bound", () => {
  const permit = (maxAmount: bigint) =>
    create(PermitRecordSchema, { wallet: "0xb1", minAmount: "2500000", maxAmount: `${maxAmount}` });
  const [, ...rows] = permitTable(
    [permit(5_000_000_000n), permit(2n ** 256n - 1n), permit(2n ** 64n - 1n)],
    6,
    unpainted,
  )
    .split("\n")
    .map((row) => row.trim().split(/ {2,}/).slice(-2));
  expect(rows).toEqual([
    ["2.5", "5,000"],
    ["2.5", "-"],
    ["2.5", "-"],
  ]);
});

it("counts permits in all and by the hour", () => {
  const hours = [{ hour: timestampFromMs(Date.UTC(2026, 0, 31, 12)), permits: 1_000n }];
  const counts = create(CountPermitsResponseSchema, {
    permits: 1_001n,
    unexpired: 1n,
    entities: 2n,
    wallets: 3n,
    hours,
  });
  expect(permitCounts(counts).split("\n").at(-1)).toBe("2026-01-31T12:00:00Z  1,000");
});
