import { isSaleStatus, SALE_STATUSES, statusMessage } from "../../../common/sale/state/status.ts";
import { SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { UsageError } from "../base/cli-error.ts";
import type { Command } from "../base/command.ts";
import { paintFor } from "../output/paint.ts";
import { write } from "../output/write.ts";
import { allSales } from "./all-sales.ts";
import { saleJson } from "./sale-json.ts";
import { saleTable } from "./sale-text.ts";

export const saleList: Command = {
  name: "sale list",
  positionals: [],
  summary: "list the sales",
  options: {
    status: { type: "string", value: SALE_STATUSES.join("|"), help: "only sales of this status" },
    json: { type: "boolean", help: "as a JSON list for programs; each sale as `sale show --json` prints it" },
  },
  async run(input, context) {
    const name = input.text("status");
    if (name !== undefined && !isSaleStatus(name)) {
      throw new UsageError(`--status expects one of ${SALE_STATUSES.join(", ")}`);
    }
    const status = name === undefined ? SaleStatus.UNSPECIFIED : statusMessage(name);
    if (input.flag("json")) {
      const list = await Array.fromAsync(allSales(context, status), saleJson);
      return write(context.output, `${JSON.stringify(list, null, 2)}\n`);
    }
    // Columns are as wide as their widest cell, so the table needs all of them.
    const sales = await Array.fromAsync(allSales(context, status));
    await write(context.output, `${saleTable(sales, paintFor(context.output))}\n`);
  },
};
