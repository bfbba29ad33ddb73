import { UsageError } from "../base/cli-error.ts";
import type { CommandInput, CommandOptions } from "../base/command.ts";

/** The option of commands that can't be undone; the service compares the name. */
export const CONFIRM_OPTION: CommandOptions = {
  confirm: { type: "string", value: "NAME", help: "the sale's name, as `sale show` prints it" },
};

/** The value of `--confirm`. @throws UsageError if it is missing */
export function confirmedName(input: CommandInput): string {
  const name = input.text("confirm");
  if (name === undefined || name === "") throw new UsageError("--confirm NAME is missing: the sale's name");
  return name;
}
