import { UsageError } from "../base/cli-error.ts";
import type { CommandInput } from "../base/command.ts";

/** The value of an option that must be given. @throws UsageError */
export function requiredText(input: CommandInput, option: string): string {
  const text = input.text(option);
  if (text === undefined) throw new UsageError(`--${option} is missing`);
  return text;
}
