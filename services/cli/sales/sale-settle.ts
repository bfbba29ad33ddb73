import type { Command } from "../base/command.ts";
import { write } from "../output/write.ts";

export const saleSettle: Command = {
  name: "sale settle",
  positionals: ["UUID"],
  summary: "settle an open sale manually, if its contract doesn't report its stage",
  options: {},
  async run({ positionals: [saleUuid = ""] }, { sales, output, signal }) {
    await sales.settleSale({ saleUuid }, { signal });
    await write(output, `${saleUuid} is settled\n`);
  },
};
