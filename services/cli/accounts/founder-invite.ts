import type { Command } from "../base/command.ts";
import { write } from "../output/write.ts";

/** Prints only the account's UUID, so that scripts can use it, for instance in `sale create --owner`. */
export const founderInvite: Command = {
  name: "founder invite",
  positionals: ["EMAIL"],
  summary: "let the person with an e-mail address create sales, and print the UUID of their account",
  options: {},
  async run({ positionals: [email = ""] }, { memberships, output, signal }) {
    const { accountUuid } = await memberships.inviteFounder({ email }, { signal });
    await write(output, `${accountUuid}\n`);
  },
};
