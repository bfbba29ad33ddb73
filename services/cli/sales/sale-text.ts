import { timestampDate } from "@bufbuild/protobuf/wkt";
import { enumName } from "../../../common/platform/encoding/enum-name.ts";
import { utcTime } from "../../../common/platform/encoding/utc-time.ts";
import { stageOf, stageText } from "../../../common/sale/state/stage.ts";
import { statusOf } from "../../../common/sale/state/status.ts";
import { settingLines } from "../../../common/sale/words/setting-lines.ts";
import {
  type Sale,
  type SaleDefinition,
  SaleStatus,
  TenancySchema,
} from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { alignColumns } from "../output/align-columns.ts";
import { lineRow } from "../output/line-row.ts";
import type { Paint, Style } from "../output/paint.ts";
import { terminalText } from "../output/terminal-text.ts";
import { sourceStatusRows, sourceSummary } from "./source-status-text.ts";

type Row = readonly [string, string];

/** The details of a sale, one per line. @param nowMillis milliseconds since 1970. */
export function saleText(sale: Sale, nowMillis: number): string {
  const { definition } = sale;
  const rows: Row[] = [
    ["UUID", sale.uuid],
    ...(definition === undefined ? [] : settingRows(definition)),
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

function settingRows(definition: SaleDefinition): readonly Row[] {
  return settingLines(definition)
    .filter(({ text }) => text !== "")
    .map(lineRow);
}

/** A table of sales. */
export function saleTable(sales: readonly Sale[], paint: Paint): string {
  const rows = sales.map((sale) => [
    sale.uuid,
    paintedStatus(sale, paint),
    enumName(TenancySchema, sale.tenancy) ?? "",
    sale.revision.toString(),
    paintedSource(sale, paint),
    terminalText(sale.definition?.name ?? ""),
  ]);
  const header = ["UUID", "STATUS", "TENANCY", "REVISION", "SOURCE", "NAME"].map((name) => paint("bold", name));
  return alignColumns([header, ...rows]);
}

function paintedStatus(sale: Sale, paint: Paint): string {
  const style = STATUS_STYLES[sale.status];
  return style === undefined ? statusName(sale) : paint(style, statusName(sale));
}

function paintedSource(sale: Sale, paint: Paint): string {
  const [summary, style] = sourceSummary(sale);
  return style === undefined ? summary : paint(style, summary);
}

const STATUS_STYLES: Readonly<Record<number, Style>> = {
  [SaleStatus.DRAFT]: "yellow",
  [SaleStatus.OPEN]: "green",
  [SaleStatus.SETTLED]: "dim",
  [SaleStatus.WITHDRAWN]: "dim",
};

export function statusName({ status }: Pick<Sale, "status">): string {
  return statusOf(status) ?? "unknown";
}
