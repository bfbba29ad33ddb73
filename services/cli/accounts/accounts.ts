import { timestampDate } from "@bufbuild/protobuf/wkt";
import { utcTime } from "../../../common/platform/encoding/utc-time.ts";
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

export const accountRecover: Command = {
  name: "account recover",
  positionals: ["EMAIL"],
  summary: "begin the recovery of an account of which somebody else has a passkey, or stop it",
  details: `Its owner can complete it 72 hours later, for 7 days, with a code from the mailbox: that removes all passkeys and ends all
sessions and tokens. Unlike a recovery that the owner begins, only the operator can stop it. The owner gets a mail.`,
  options: { stop: { type: "boolean", help: "stop the recovery that waits, whoever began it" } },
  async run(input, { accounts, output, signal }) {
    const [email = ""] = input.positionals;
    const { recovery } = await accounts.recoverAccount({ email, stop: input.flag("stop") }, { signal });
    const { readyAt, expiresAt } = recovery ?? {};
    const isBegun = readyAt !== undefined && expiresAt !== undefined;
    const [from, until] = isBegun ? [utcTime(timestampDate(readyAt)), utcTime(timestampDate(expiresAt))] : [];
    await write(output, isBegun ? `can be completed from ${from} until ${until}\n` : "no recovery waits\n");
  },
};
