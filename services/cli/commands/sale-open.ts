import type { Command } from "../base/command.ts";
import { write } from "../output/write.ts";

export const saleOpen: Command = {
  name: "sale open",
  positionals: ["UUID"],
  summary: "open a draft: its figures become public, and much of its definition is frozen",
  options: {},
  async run({ positionals: [saleUuid = ""] }, { sales, output, signal }) {
    await sales.openSale({ saleUuid }, { signal });
    await write(output, `${saleUuid} is open\n`);
  },
};
