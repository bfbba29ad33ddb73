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
 * A sale for programs: the JSON form of `Sale`, with names for enums and `0x` hex for the block's hash. 64-bit integers and
 * amounts are decimal strings. `definition` can be used for `sale create --file`.
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
