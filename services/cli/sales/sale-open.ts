import { UsageError } from "../base/cli-error.ts";
import type { Command } from "../base/command.ts";
import { write } from "../output/write.ts";
import { CONFIRM_OPTION, confirmedName } from "./confirmed-name.ts";

export const saleOpen: Command = {
  name: "sale open",
  positionals: ["UUID"],
  summary: "open a draft: its figures become public, and much of its definition is frozen",
  details: `First the indexer checks the contract: it must be readable and belong to this sale, and its payment tokens and their
decimals must be those of the definition. If you know better, open the sale with --override --confirm NAME.`,
  options: {
    override: { type: "boolean", help: "open it even if its contract doesn't pass the check or can't be checked" },
    ...CONFIRM_OPTION,
  },
  flags: { override_confirm_name: ["confirm"] },
  async run(input, { sales, output, signal }) {
    const [saleUuid = ""] = input.positionals;
    const isOverride = input.flag("override");
    if (!isOverride && input.text("confirm") !== undefined) throw new UsageError("--confirm is only for --override");
    const overrideConfirmName = isOverride ? confirmedName(input) : "";
    await sales.openSale({ saleUuid, overrideConfirmName }, { signal });
    await write(output, `${saleUuid} is open\n`);
  },
};
