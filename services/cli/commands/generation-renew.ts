import { SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { allSales } from "../base/all-sales.ts";
import { UsageError } from "../base/cli-error.ts";
import type { Command } from "../base/command.ts";
import { grouped } from "../output/grouped-digits.ts";
import { write } from "../output/write.ts";

export const generationRenew: Command = {
  name: "generation renew",
  positionals: [],
  summary: "after a restore: let sales begin a new generation, so that readers believe figures older than theirs",
  details: `Run it once the restored database serves. Gateways and consumers take no figures that are older than those they have
seen, within a generation; a backup is older. Where it ends early, run it again: that does no harm.`,
  options: {
    all: { type: "boolean", help: "of every sale" },
    sale: { type: "string", value: "UUID", help: "of this sale only" },
  },
  async run(input, context) {
    const uuid = input.text("sale");
    if (input.flag("all") === (uuid !== undefined)) throw new UsageError("either --all or --sale UUID is wanted");
    let renewed = 0n;
    for await (const saleUuid of uuid === undefined ? allUuids(context) : [uuid]) {
      await context.commitments.renewGeneration({ saleUuid }, { signal: context.signal });
      renewed += 1n;
    }
    await write(context.output, `${grouped(renewed)} ${renewed === 1n ? "sale has" : "sales have"} a new generation\n`);
  },
};

async function* allUuids(context: Parameters<Command["run"]>[1]): AsyncGenerator<string> {
  for await (const { uuid } of allSales(context, SaleStatus.UNSPECIFIED)) yield uuid;
}
