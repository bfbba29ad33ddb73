import type { Command } from "../base/command.ts";
import { write } from "../output/write.ts";

/** Prints the account's UUID alone, so that a script can go on with it, such as `sale create --owner`. */
export const founderInvite: Command = {
  name: "founder invite",
  positionals: ["EMAIL"],
  summary: "let the person of an address create sales, and print their account's UUID",
  options: {},
  async run({ positionals: [email = ""] }, { memberships, output, signal }) {
    const { accountUuid } = await memberships.inviteFounder({ email }, { signal });
    await write(output, `${accountUuid}\n`);
  },
};
