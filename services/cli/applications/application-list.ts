import type { Command } from "../base/command.ts";
import { paintFor } from "../output/paint.ts";
import { write } from "../output/write.ts";
import { clientJson } from "./application-json.ts";
import { clientTable } from "./application-text.ts";

export const clientList: Command = {
  name: "client list",
  positionals: ["SALE-UUID"],
  summary: "list the applications of a sale",
  options: { json: { type: "boolean", help: "as a JSON list for programs" } },
  async run(input, { applications, output, signal }) {
    const [saleUuid = ""] = input.positionals;
    const { clients } = await applications.listClients({ saleUuid }, { signal });
    const text = input.flag("json")
      ? JSON.stringify(clients.map(clientJson), null, 2)
      : clientTable(clients, paintFor(output));
    await write(output, `${text}\n`);
  },
};
