import type { Command } from "../base/command.ts";
import { required } from "../base/required.ts";
import { write } from "../output/write.ts";
import { saleJson } from "./sale-json.ts";
import { saleText } from "./sale-text.ts";

export const saleShow: Command = {
  name: "sale show",
  positionals: ["UUID"],
  summary: "show a sale: its definition, its status, and the state of reading its contract",
  options: { json: { type: "boolean", help: "as JSON for programs; amounts and 64-bit integers are strings" } },
  async run(input, { sales, output, signal }) {
    const [saleUuid = ""] = input.positionals;
    const sale = required(await sales.getSale({ saleUuid }, { signal }), "sale");
    await write(
      output,
      `${input.flag("json") ? JSON.stringify(saleJson(sale), null, 2) : saleText(sale, Date.now())}\n`,
    );
  },
};
