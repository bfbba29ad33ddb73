import { expect, it } from "vitest";
import { SaleStatus, SaleStatusSchema } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { enumNames } from "../../platform/encoding/enum-name.ts";
import { isSaleStatus, SALE_STATUSES, statusMessage, statusOf } from "./status.ts";

it.each([
  ["draft", SaleStatus.DRAFT],
  ["open", SaleStatus.OPEN],
  ["settled", SaleStatus.SETTLED],
  ["withdrawn", SaleStatus.WITHDRAWN],
] as const)("the status %s has one message", (status, message) => {
  expect(statusMessage(status)).toBe(message);
  expect(statusOf(message)).toBe(status);
  expect(isSaleStatus(status)).toBe(true);
});

it("all statuses have the names of their messages; others are none", () => {
  expect([...SALE_STATUSES].sort()).toEqual([...enumNames(SaleStatusSchema)].sort());
  expect([isSaleStatus("unspecified"), isSaleStatus("toString"), statusOf(SaleStatus.UNSPECIFIED)]).toEqual([
    false,
    false,
    undefined,
  ]);
});
