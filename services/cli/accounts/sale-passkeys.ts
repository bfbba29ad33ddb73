import { enumName } from "../../../common/platform/encoding/enum-name.ts";
import { type Member, RoleSchema } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { UsageError } from "../base/cli-error.ts";
import type { Command } from "../base/command.ts";
import { alignColumns } from "../output/align-columns.ts";
import { paintFor } from "../output/paint.ts";
import { terminalText } from "../output/terminal-text.ts";
import { write } from "../output/write.ts";

export const salePasskeys: Command = {
  name: "sale passkeys",
  positionals: ["UUID"],
  summary: "show whether a sale requires passkeys of its owners and editors, and who of them has one; or change that",
  details: `While a sale requires them, owners and editors who signed in with a code from an e-mail can't see or change it. Viewers need
none. All owners are notified of a change by e-mail.`,
  options: {
    require: { type: "boolean", help: "require passkeys from now on" },
    end: { type: "boolean", help: "no longer require passkeys" },
  },
  async run(input, { memberships, output, signal }) {
    const [saleUuid = ""] = input.positionals;
    const [isRequired, isEnded] = [input.flag("require"), input.flag("end")];
    if (isRequired && isEnded) throw new UsageError("--require and --end exclude each other");
    if (isRequired || isEnded) await memberships.setSalePasskeyRule({ saleUuid, required: isRequired }, { signal });
    const { passkeysRequired, members } = await memberships.listMembers({ saleUuid }, { signal });
    const paint = paintFor(output);
    const header = ["ROLE", "PASSKEY", "E-MAIL"].map((name) => paint("bold", name));
    const state = passkeysRequired ? "passkeys are required" : "passkeys aren't required";
    await write(output, `${state}\n${alignColumns([header, ...members.map(memberRow)])}\n`);
  },
};

function memberRow({ role, email, hasPasskey }: Member): readonly string[] {
  return [enumName(RoleSchema, role) ?? "unknown", hasPasskey ? "yes" : "no", terminalText(email)];
}
