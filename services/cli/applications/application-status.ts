import type { Command } from "../base/command.ts";
import { write } from "../output/write.ts";

export const clientDisable: Command = {
  name: "client disable",
  positionals: ["UUID"],
  summary: "stop an application from signing users in, and revoke its tokens",
  options: {},
  async run({ positionals: [clientUuid = ""] }, { applications, output, signal }) {
    await applications.disableClient({ clientUuid }, { signal });
    await write(output, `${clientUuid} is disabled\n`);
  },
};

export const clientEnable: Command = {
  name: "client enable",
  positionals: ["UUID"],
  summary: "let a disabled application sign users in again",
  options: {},
  async run({ positionals: [clientUuid = ""] }, { applications, output, signal }) {
    await applications.enableClient({ clientUuid }, { signal });
    await write(output, `${clientUuid} is enabled\n`);
  },
};
