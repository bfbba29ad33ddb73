import { UsageError } from "../base/cli-error.ts";
import type { CommandInput } from "../base/command.ts";

const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const SVM_ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

/**
 * The address in an option, in its canonical form; undefined without the option.
 *
 * @throws UsageError for no address
 */
export function addressOf(input: CommandInput, option: "contract" | "program" | "wallet"): string | undefined {
  const text = input.text(option);
  if (text === undefined || SVM_ADDRESS.test(text)) return text;
  if (EVM_ADDRESS.test(text)) return text.toLowerCase();
  throw new UsageError(`--${option} expects an EVM address, or an address of Solana in base58`);
}
