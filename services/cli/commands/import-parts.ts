import type { Sale } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { ImportError } from "../../shared/commitment-import/import-error.ts";
import { groupedText, timesPowerOfTen } from "../../shared/sale-definition/exact-number.ts";
import { CommandFailure } from "../base/cli-error.ts";

/** @throws CommandFailure for a sale that is read from a contract */
export function checkFedByRpc({ uuid, definition }: Sale): void {
  if (definition?.source.case === undefined) return;
  throw new CommandFailure(`${uuid} is read from its contract, so nothing can be imported`);
}

/** Runs something that reads a file. @throws CommandFailure naming the file, for one that is wrong or can't be read */
export async function inFile<Result>(path: string, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    const isOfFile = error instanceof ImportError || (error instanceof Error && "code" in error && "syscall" in error);
    throw isOfFile ? new CommandFailure(`${path}: ${error.message}`) : error;
  }
}

/** Returns the addresses of the tokens that a sale takes. */
export function tokensOf({ definition }: Sale): readonly string[] {
  return definition?.paymentTokens.map(({ address }) => address) ?? [];
}

/** Returns a line for each token with the sum of its amounts, in whole tokens. @param totals by token, in its smallest units */
export function tokenSums(totals: ReadonlyMap<string, bigint>, { definition }: Sale): readonly string[] {
  return Array.from(totals, ([address, sum]) => {
    const token = definition?.paymentTokens.find((each) => each.address.toLowerCase() === address.toLowerCase());
    const amount = timesPowerOfTen({ numerator: sum, denominator: 1n }, -(token?.decimals ?? 0));
    return `  ${address}: ${groupedText(amount)}`;
  });
}
