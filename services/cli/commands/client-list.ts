import { clientTable } from "../client-text.ts";
import type { Command } from "../command.ts";
import { write } from "../write.ts";

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
