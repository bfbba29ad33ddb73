import { countText } from "../../../common/sale/words/number-text.ts";
import { SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { UsageError } from "../base/cli-error.ts";
import type { Command } from "../base/command.ts";
import { write } from "../output/write.ts";
import { allSales } from "../sales/all-sales.ts";

export const generationRenew: Command = {
  name: "generation renew",
  positionals: [],
  summary:
    "after a restore under running services: start a new generation of sales, so that readers accept older figures",
  details: `A commitments service that starts while no other one is at work does this by itself. Run it if one was at work while the
database was restored. Within a generation, gateways and consumers ignore figures that are older than the ones they have, and a backup is
older. If the command fails, run it again: that does no harm.`,
  options: {
    all: { type: "boolean", help: "every sale" },
    sale: { type: "string", value: "UUID", help: "only this sale" },
  },
  async run(input, context) {
    const uuid = input.text("sale");
    if (input.flag("all") === (uuid !== undefined)) throw new UsageError("expected either --all or --sale UUID");
    let renewed = 0n;
    for await (const saleUuid of uuid === undefined ? allUuids(context) : [uuid]) {
      await context.commitments.renewGeneration({ saleUuid }, { signal: context.signal });
      renewed += 1n;
    }
    await write(
      context.output,
      `${countText(renewed)} ${renewed === 1n ? "sale has" : "sales have"} a new generation\n`,
    );
  },
};

async function* allUuids(context: Parameters<Command["run"]>[1]): AsyncGenerator<string> {
  for await (const { uuid } of allSales(context, SaleStatus.UNSPECIFIED)) yield uuid;
}
