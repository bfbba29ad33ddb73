import { UsageError } from "../base/cli-error.ts";
import type { Command, CommandInput, CommandOptions } from "../base/command.ts";
import { write } from "../output/write.ts";

/** The option of commands that can't be undone; the service compares the name. */
const CONFIRM_OPTION: CommandOptions = {
  confirm: { type: "string", value: "NAME", help: "the sale's name, as `sale show` prints it" },
};

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

export const saleSettle: Command = {
  name: "sale settle",
  positionals: ["UUID"],
  summary: "settle an open sale manually, for good, if its contract doesn't report its stage",
  details: `It can't be opened again: no bid is taken any more, those that are marked refunded count from then on, and what is
accepted can be set. It can still be withdrawn.`,
  options: CONFIRM_OPTION,
  flags: { confirm_name: ["confirm"] },
  async run(input, { sales, output, signal }) {
    const [saleUuid = ""] = input.positionals;
    await sales.settleSale({ saleUuid, confirmName: confirmedName(input) }, { signal });
    await write(output, `${saleUuid} is settled\n`);
  },
};

export const saleWithdraw: Command = {
  name: "sale withdraw",
  positionals: ["UUID"],
  summary: "withdraw an open or settled sale for good: it is no longer found in public",
  details: `Its streams end, its contract isn't read any more, its applications stop and their tokens are revoked. Members and
operators still see it. Its UUID can't be used again, and there is no way back.`,
  options: CONFIRM_OPTION,
  flags: { confirm_name: ["confirm"] },
  async run(input, { sales, output, signal }) {
    const [saleUuid = ""] = input.positionals;
    await sales.withdrawSale({ saleUuid, confirmName: confirmedName(input) }, { signal });
    await write(output, `${saleUuid} is withdrawn\n`);
  },
};

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

/** The value of `--confirm`. @throws UsageError if it is missing */
function confirmedName(input: CommandInput): string {
  const name = input.text("confirm");
  if (name === undefined || name === "") throw new UsageError("--confirm NAME is missing: the sale's name");
  return name;
}
