import { timestampDate } from "@bufbuild/protobuf/wkt";
import { enumName } from "../../../common/platform/encoding/enum-name.ts";
import { utcTime } from "../../../common/platform/encoding/utc-time.ts";
import { stageOf, stageText } from "../../../common/sale/state/stage.ts";
import { statusOf } from "../../../common/sale/state/status.ts";
import { presentationLines } from "../../../common/sale/words/presentation-lines.ts";
import {
  type PaymentToken,
  type Sale,
  type SaleDefinition,
  SaleStatus,
  TenancySchema,
} from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { alignColumns } from "../output/align-columns.ts";
import type { Paint, Style } from "../output/paint.ts";
import { plainText } from "../output/plain-text.ts";
import { sourceStatusRows, sourceSummary } from "./source-status-text.ts";

type Row = readonly [string, string];

/** The details of a sale, one per line. @param nowMillis milliseconds since 1970. */
export function saleText(sale: Sale, nowMillis: number): string {
  const { definition } = sale;
  const rows: Row[] = [
    ["UUID", sale.uuid],
    ...(definition === undefined ? [] : definitionRows(definition)),
    ["Status", `${statusName(sale)}, ${enumName(TenancySchema, sale.tenancy)} tenancy`],
    ["Owner", sale.ownerAccountUuid || "none"],
    ["Created", sale.createdAt === undefined ? "" : utcTime(timestampDate(sale.createdAt))],
    ["Revision", `${sale.revision} of generation 0x${sale.generation.toString(16).padStart(16, "0")}`],
    ["Definition", `version ${sale.definitionVersion}`],
    ["Stage", stageText(stageOf(sale.stage))],
    ...sourceStatusRows(sale, nowMillis),
  ];
  return alignColumns(rows);
}

/** A table of sales. */
export function saleTable(sales: readonly Sale[], paint: Paint): string {
  const rows = sales.map((sale) => [
    sale.uuid,
    paintedStatus(sale, paint),
    enumName(TenancySchema, sale.tenancy) ?? "",
    sale.revision.toString(),
    paintedSource(sourceSummary(sale), paint),
    plainText(sale.definition?.name ?? ""),
  ]);
  const header = ["UUID", "STATUS", "TENANCY", "REVISION", "SOURCE", "NAME"].map((name) => paint("bold", name));
  return alignColumns([header, ...rows]);
}

function paintedStatus(sale: Sale, paint: Paint): string {
  const style = STATUS_STYLES[sale.status];
  return style === undefined ? statusName(sale) : paint(style, statusName(sale));
}

function paintedSource(summary: string, paint: Paint): string {
  const style = SOURCE_STYLES[summary];
  return style === undefined ? summary : paint(style, summary);
}

const STATUS_STYLES: Readonly<Record<number, Style>> = {
  [SaleStatus.DRAFT]: "yellow",
  [SaleStatus.OPEN]: "green",
  [SaleStatus.SETTLED]: "dim",
  [SaleStatus.WITHDRAWN]: "dim",
};
const SOURCE_STYLES: Readonly<Record<string, Style>> = { fault: "red", warning: "yellow", "no reader": "yellow" };

export function statusName({ status }: Pick<Sale, "status">): string {
  return statusOf(status) ?? "unknown";
}

function definitionRows(definition: SaleDefinition): Row[] {
  const { numerator, denominator } = definition.priceTick ?? { numerator: "0", denominator: "1" };
  return [
    ["Name", plainText(definition.name)],
    ...definition.paymentTokens.map(tokenRow),
    ["Total in", `${definition.paymentTokenDecimals} decimals`],
    ["Offered token", decimals(definition.offeredTokenDecimals)],
    ["Price tick", `${numerator}/${denominator} smallest payment units per smallest offered unit`],
    ["Pricing", pricingText(definition.pricing)],
    ["Extra data", plainText(definition.extraDataParameters) || "raw"],
    ["Source", sourceText(definition.source)],
    ...(definition.cancelledKeepsAmounts ? ([["Cancelled", "the contract keeps the amounts"]] as const) : []),
    ...presentationLines(definition).map(({ label, text }): Row => [label, plainText(text)]),
  ];
}

function tokenRow({ address, decimals, usdStablecoin, symbol }: PaymentToken): Row {
  const name = symbol === "" ? address : `${plainText(symbol)}, ${address}`;
  return ["Payment token", `${name}, ${decimals} decimals${usdStablecoin ? ", USD stablecoin" : ""}`];
}

function decimals(count: number | undefined): string {
  return count === undefined ? "unknown decimals" : `${count} decimals`;
}

function pricingText(pricing: SaleDefinition["pricing"]): string {
  if (pricing.case === "fixed") {
    const { priceTicks, offeredAmount } = pricing.value;
    return `fixed, ${priceTicks} ticks${offeredAmount === "" ? "" : `, ${offeredAmount} smallest units for sale`}`;
  }
  if (pricing.case !== "auction") return "unknown";
  const { offeredAmount, floorTicks, incrementTicks } = pricing.value;
  return `auction of ${offeredAmount} smallest units from ${floorTicks} ticks, in steps of ${incrementTicks}`;
}

function sourceText(source: SaleDefinition["source"]): string {
  if (source.case === "evm") {
    const { chain, contract, contractVersion } = source.value;
    return `contract ${contract} on ${chain}${contractVersion === 0 ? "" : `, stages of version ${contractVersion}`}`;
  }
  if (source.case === "svm") return `sale account ${source.value.saleAccount} on ${source.value.chain}`;
  return "none, fed by RPC";
}
