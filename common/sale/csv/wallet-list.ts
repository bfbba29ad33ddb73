import { csvRecord } from "./csv-record.ts";
import { ListFileError } from "./list-file-error.ts";
import { listRecords } from "./list-records.ts";

/** The one column of a file of wallets. */
export const WALLET_COLUMN = "wallet";

export const WALLET_CSV_HEADER = csvRecord([WALLET_COLUMN]);

/** A line of a file of wallets: an address, or the rule that it breaks. */
export type WalletLine = { readonly line: number } & (
  | { readonly wallet: string }
  | { readonly field: typeof WALLET_COLUMN; readonly problem: string }
);

/** Bound of the contract. */
const MAX_CHARACTERS = 64;

/** Reads a file with a wallet on each line; the first line may name the column. @throws ListFileError */
export async function* readWallets(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<WalletLine, void> {
  let isFirst = true;
  for await (const { line, fields } of listRecords(chunks)) {
    const [wallet = "", ...others] = fields;
    const isHeader = isFirst && wallet.toLowerCase() === WALLET_COLUMN;
    isFirst = false;
    if (isHeader) continue;
    if (others.some((field) => field !== "")) yield { line, field: WALLET_COLUMN, problem: "must be the only field" };
    else if (wallet.length > MAX_CHARACTERS) {
      yield { line, field: WALLET_COLUMN, problem: `must have at most ${MAX_CHARACTERS} characters` };
    } else yield { line, wallet };
  }
  if (isFirst) throw new ListFileError(undefined, "the file is empty");
}

/** Returns wallets as lines of a file. */
export function walletCsv(wallets: readonly string[]): string {
  return wallets.map((wallet) => csvRecord([wallet])).join("");
}
