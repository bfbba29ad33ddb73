import type { Command } from "../base/command.ts";
import { write } from "../output/write.ts";
import { clientJson } from "./application-json.ts";
import { clientText } from "./application-text.ts";
import { requiredClient } from "./required-application.ts";

export const clientShow: Command = {
  name: "client show",
  positionals: ["UUID"],
  summary: "show an application, and what prevents it from signing users in",
  options: { json: { type: "boolean", help: "as JSON for programs; 64-bit integers are strings" } },
  async run(input, { applications, output, signal }) {
    const [clientUuid = ""] = input.positionals;
    const client = requiredClient(await applications.getClient({ clientUuid }, { signal }));
    await write(output, `${input.flag("json") ? JSON.stringify(clientJson(client), null, 2) : clientText(client)}\n`);
  },
};
