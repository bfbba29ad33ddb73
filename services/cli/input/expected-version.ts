import { UsageError } from "../base/cli-error.ts";
import type { CommandInput, CommandOptions } from "../base/command.ts";

/** The option of commands that change what somebody has looked at before. */
export const EXPECTED_VERSION_OPTION: CommandOptions = {
  "expected-version": {
    type: "string",
    value: "NUMBER",
    help: "change nothing if it has another version by now; the present one by default",
  },
};

const WHOLE_NUMBER = /^\d{1,19}$/;

/** The value of `--expected-version`, if it is given. @throws UsageError for anything but a whole number */
export function expectedVersion(input: CommandInput): bigint | undefined {
  const text = input.text("expected-version");
  if (text === undefined) return undefined;
  if (!WHOLE_NUMBER.test(text)) throw new UsageError("--expected-version expects a whole number");
  return BigInt(text);
}
