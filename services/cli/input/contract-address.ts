import { UsageError } from "../base/cli-error.ts";
import type { CommandInput } from "../base/command.ts";

const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const SVM_ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

/** The value of `--contract` in its canonical form; undefined without it. @throws UsageError for no address */
export function contractAddressOf(input: CommandInput): string | undefined {
  const text = input.text("contract");
  if (text === undefined || SVM_ADDRESS.test(text)) return text;
  if (EVM_ADDRESS.test(text)) return text.toLowerCase();
  throw new UsageError("--contract expects an EVM address, or on Solana the sale account in base58");
}
