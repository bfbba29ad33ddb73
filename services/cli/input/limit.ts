import { UsageError } from "../base/cli-error.ts";
import type { CommandInput, CommandOptions } from "../base/command.ts";

const DEFAULT_LIMIT = 100;
const WHOLE_NUMBER = /^[1-9]\d{0,8}$/;

/** The option of commands that list what may be long. */
export const LIMIT_OPTION: CommandOptions = {
  limit: { type: "string", value: "NUMBER", help: `list at most this many; ${DEFAULT_LIMIT} by default` },
};

/** The value of `--limit`. @throws UsageError for anything but a whole number above 0 */
export function limitOf(input: CommandInput): number {
  const text = input.text("limit") ?? `${DEFAULT_LIMIT}`;
  if (!WHOLE_NUMBER.test(text)) throw new UsageError("--limit expects a whole number from 1 to 999999999");
  return Number(text);
}
