import { type Columns, csvRows } from "./csv-rows.ts";
import type { LineProblem } from "./participant-rows.ts";

const COLUMNS: Columns<"wallet"> = { known: ["wallet"], required: ["wallet"] };
const MAX_WALLET_CHARACTERS = 64;

/** A row of a deny list: a wallet with its line, or a mistake. */
export type WalletRow = { readonly line: number; readonly wallet: string } | LineProblem;

/**
 * Reads a deny list: one column, `wallet`. A wallet that comes again is left out.
 *
 * @throws ParticipantFileError for a file that can't be read any further
 */
export async function* walletRows(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<WalletRow, void> {
  const seen = new Set<string>();
  for await (const { line, fields } of csvRows(chunks, COLUMNS)) {
    const { wallet } = fields;
    const key = wallet.startsWith("0x") ? wallet.toLowerCase() : wallet;
    if (wallet.length > MAX_WALLET_CHARACTERS) yield { line, field: "wallet", message: "is too long" };
    else if (!seen.has(key)) yield { line, wallet };
    seen.add(key);
  }
}
