import { Buffer } from "node:buffer";
import { type JsonObject, toJson } from "@bufbuild/protobuf";
import {
  type Sale,
  SaleSchema,
  SaleStageSchema,
  TenancySchema,
} from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { enumName } from "./enum-name.ts";
import { statusName } from "./sale-text.ts";

/**
 * A sale for programs: the JSON form of `Sale` with enums as words and the block's hash as `0x` hex. 64-bit integers
 * and amounts are decimal strings. `definition` is what `sale create --file` takes.
 */
export function saleJson(sale: Sale): JsonObject {
  const json = toJson(SaleSchema, sale, { alwaysEmitImplicit: true }) as JsonObject;
  const { sourcePosition: position } = sale;
  return {
    ...json,
    tenancy: enumName(TenancySchema, sale.tenancy) ?? null,
    status: statusName(sale),
    stage: enumName(SaleStageSchema, sale.stage) ?? null,
    ...(position === undefined ? {} : { sourcePosition: { height: `${position.height}`, hash: hex(position.hash) } }),
  };
}

function hex(bytes: Uint8Array): string {
  return `0x${Buffer.from(bytes).toString("hex")}`;
}
