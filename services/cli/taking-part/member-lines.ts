import type { SentLine } from "../../../common/internal-api/send-list.ts";
import { MEMBER_COLUMNS } from "../../../common/sale/csv/member-csv.ts";
import type { MemberInit } from "../../../common/sale/csv/member-init.ts";
import { type MemberFileOptions, readMembers } from "../../../common/sale/csv/read-members.ts";
import { readWallets } from "../../../common/sale/csv/wallet-list.ts";

export type MemberRow = MemberInit;

/** The columns of a file of members, for people. */
export const MEMBER_FILE_COLUMNS = MEMBER_COLUMNS.join(", ");

/** Reads a file of members for `importList`. @throws ListFileError */
export async function* memberLines(
  chunks: AsyncIterable<Uint8Array>,
  options: MemberFileOptions,
): AsyncGenerator<SentLine<MemberRow>, void> {
  for await (const line of readMembers(chunks, options)) {
    yield "member" in line ? { line: line.line, row: line.member } : line;
  }
}

/** Reads a file of wallets for `importList`. @throws ListFileError */
export async function* walletLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<SentLine<string>, void> {
  for await (const line of readWallets(chunks)) {
    yield "wallet" in line ? { line: line.line, row: line.wallet } : line;
  }
}
