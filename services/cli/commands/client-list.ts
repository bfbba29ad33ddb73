import type { Command } from "../base/command.ts";
import { clientTable } from "../output/client-text.ts";
import { write } from "../output/write.ts";

export const clientList: Command = {
  name: "client list",
  positionals: ["SALE-UUID"],
  summary: "list the applications of a sale",
  options: {},
  async run({ positionals: [saleUuid = ""] }, { applications, output, signal }) {
    const { clients } = await applications.listClients({ saleUuid }, { signal });
    await write(output, `${clientTable(clients)}\n`);
  },
};
