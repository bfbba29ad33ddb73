import type { Command } from "../base/command.ts";
import { write } from "../output/write.ts";
import { CONFIRM_OPTION, confirmedName } from "./confirmed-name.ts";

export const saleDelete: Command = {
  name: "sale delete",
  positionals: ["UUID"],
  summary: "delete a draft, with its applications and members",
  details: "A sale that was opened can't be deleted; `sale withdraw` takes it out of the public.",
  options: CONFIRM_OPTION,
  flags: { confirm_name: ["confirm"] },
  async run(input, { sales, output, signal }) {
    const [saleUuid = ""] = input.positionals;
    await sales.deleteDraft({ saleUuid, confirmName: confirmedName(input) }, { signal });
    await write(output, `${saleUuid} is deleted\n`);
  },
};
