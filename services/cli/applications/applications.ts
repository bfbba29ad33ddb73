import type { Command } from "../base/command.ts";
import { required } from "../base/required.ts";
import { paintFor } from "../output/paint.ts";
import { write } from "../output/write.ts";
import { applicationJson, applicationTable, applicationText } from "./application-text.ts";

export const applicationList: Command = {
  name: "application list",
  positionals: ["SALE-UUID"],
  summary: "list the applications of a sale",
  options: { json: { type: "boolean", help: "as a JSON list for programs" } },
  async run(input, { applications, output, signal }) {
    const [saleUuid = ""] = input.positionals;
    const { clients } = await applications.listClients({ saleUuid }, { signal });
    const text = input.flag("json")
      ? JSON.stringify(clients.map(applicationJson), null, 2)
      : applicationTable(clients, paintFor(output));
    await write(output, `${text}\n`);
  },
};

export const applicationShow: Command = {
  name: "application show",
  positionals: ["UUID"],
  summary: "show an application, and what prevents it from signing users in",
  options: { json: { type: "boolean", help: "as JSON for programs; 64-bit integers are strings" } },
  async run(input, { applications, output, signal }) {
    const [clientUuid = ""] = input.positionals;
    const application = required(await applications.getClient({ clientUuid }, { signal }), "client");
    await write(
      output,
      `${input.flag("json") ? JSON.stringify(applicationJson(application), null, 2) : applicationText(application)}\n`,
    );
  },
};

export const applicationDisable: Command = {
  name: "application disable",
  positionals: ["UUID"],
  summary: "stop an application from signing users in, and revoke its tokens",
  options: {},
  async run({ positionals: [clientUuid = ""] }, { applications, output, signal }) {
    await applications.disableClient({ clientUuid }, { signal });
    await write(output, `${clientUuid} is disabled\n`);
  },
};

export const applicationEnable: Command = {
  name: "application enable",
  positionals: ["UUID"],
  summary: "let a disabled application sign users in again",
  options: {},
  async run({ positionals: [clientUuid = ""] }, { applications, output, signal }) {
    await applications.enableClient({ clientUuid }, { signal });
    await write(output, `${clientUuid} is enabled\n`);
  },
};
