import { SaleStatus, SaleStatusSchema } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { allSales } from "../base/all-sales.ts";
import { UsageError } from "../base/cli-error.ts";
import type { Command } from "../base/command.ts";
import { enumNames, enumNumber } from "../output/enum-name.ts";
import { saleTable } from "../output/sale-text.ts";
import { write } from "../output/write.ts";

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
    // Columns are as wide as their widest cell, so the table needs all of them.
    const found = await Array.fromAsync(allSales(context, status));
    await write(context.output, `${saleTable(found)}\n`);
  },
};
