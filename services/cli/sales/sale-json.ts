import { Buffer } from "node:buffer";
import { type JsonObject, toJson } from "@bufbuild/protobuf";
import { enumName } from "../../../common/platform/encoding/enum-name.ts";
import { stageOf } from "../../../common/sale/state/stage.ts";
import {
  FeedFaultSchema,
  type FeedState,
  FeedStateSchema,
  type Sale,
  SaleSchema,
  TenancySchema,
} from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { SourcePosition } from "../../../proto/gen/tidemark/commitments/v1/source_position_pb.ts";
import { statusName } from "./sale-text.ts";

/**
 * A sale for programs: the JSON form of `Sale`, with names for enums and `0x` hex for hashes of blocks. 64-bit integers and
 * amounts are decimal strings. `definition` can be used for `sale create --file`.
 */
export function saleJson(sale: Sale): JsonObject {
  const json = toJson(SaleSchema, sale, { alwaysEmitImplicit: true }) as JsonObject;
  const { sourcePosition: position } = sale;
  return {
    ...json,
    tenancy: enumName(TenancySchema, sale.tenancy) ?? null,
    status: statusName(sale),
    stage: stageOf(sale.stage) ?? null,
    ...(position === undefined ? {} : { sourcePosition: positionJson(position) }),
    ...(sale.feedState === undefined ? {} : { feedState: feedStateJson(sale.feedState) }),
  };
}

function positionJson({ height, hash }: SourcePosition): JsonObject {
  return { height: `${height}`, hash: hex(hash) };
}

function feedStateJson(feedState: FeedState): JsonObject {
  const json = toJson(FeedStateSchema, feedState, { alwaysEmitImplicit: true }) as JsonObject;
  const position = feedState.asOf?.position;
  return {
    ...json,
    fault: enumName(FeedFaultSchema, feedState.fault) ?? null,
    ...(position === undefined ? {} : { asOf: { ...(json["asOf"] as JsonObject), position: positionJson(position) } }),
  };
}

function hex(bytes: Uint8Array): string {
  return `0x${Buffer.from(bytes).toString("hex")}`;
}
