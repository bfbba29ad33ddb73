import { UsageError } from "../base/cli-error.ts";
import type { CommandInput } from "../base/command.ts";

const WHOLE_NUMBER = /^[1-9]\d{0,15}$/;

/** The value of `--chain-id`, 1 to 2^53-1; undefined without it. @throws UsageError for anything else */
export function chainIdOf(input: CommandInput): bigint | undefined {
  const text = input.text("chain-id");
  if (text === undefined) return undefined;
  if (WHOLE_NUMBER.test(text) && Number.isSafeInteger(Number(text))) return BigInt(text);
  throw new UsageError("--chain-id expects a whole number from 1 to 2^53-1");
}
