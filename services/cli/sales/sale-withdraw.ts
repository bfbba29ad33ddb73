import type { Command } from "../base/command.ts";
import { write } from "../output/write.ts";
import { CONFIRM_OPTION, confirmedName } from "./confirmed-name.ts";

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
