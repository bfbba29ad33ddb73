import { type Sale, SaleStatus, SaleStatusSchema } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { UsageError } from "../cli-error.ts";
import type { Command } from "../command.ts";
import type { CliContext } from "../context.ts";
import { enumNames, enumNumber } from "../enum-name.ts";
import { saleTable } from "../sale-text.ts";
import { write } from "../write.ts";

const PAGE_SIZE = 500;

export const saleList: Command = {
  name: "sale list",
  positionals: [],
  summary: "list the sales",
  options: { status: { type: "string", value: "draft|open|settled", help: "only sales of this status" } },
  async run(input, context) {
    const name = input.text("status");
    const status = name === undefined ? SaleStatus.UNSPECIFIED : enumNumber(SaleStatusSchema, name);
    if (status === undefined) {
      throw new UsageError(`--status expects one of ${enumNames(SaleStatusSchema).join(", ")}`);
    }
    await write(context.output, `${saleTable(await allSales(context, status))}\n`);
  },
};

/** Columns are as wide as their widest cell, so the table needs all of them. */
async function allSales({ sales, signal }: CliContext, status: SaleStatus): Promise<readonly Sale[]> {
  const found: Sale[] = [];
  let pageToken = "";
  do {
    const page = await sales.listSales({ pageSize: PAGE_SIZE, pageToken, status }, { signal });
    found.push(...page.sales);
    pageToken = page.nextPageToken;
  } while (pageToken !== "");
  return found;
}
