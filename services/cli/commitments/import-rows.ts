import { randomUUID } from "node:crypto";
import type { SentImport } from "../../../common/internal-api/send-import.ts";
import { amountEntry } from "../../../common/sale/words/sale-units.ts";
import type { Sale } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { CliContext } from "../base/cli-context.ts";
import { CommandFailure, Interrupted } from "../base/cli-error.ts";
import type { CommandInput } from "../base/command.ts";
import { required } from "../base/required.ts";
import { fileFailure } from "../files/file-failure.ts";
import { counted } from "../output/counted.ts";
import { RowProgress } from "../output/row-progress.ts";
import { write } from "../output/write.ts";

/** The advice after an import that didn't end. */
export const AGAIN = "run the same command again to go on";

interface FileSummary {
  readonly entities: bigint;
  /** Sums by token, in its smallest units. */
  readonly totals: ReadonlyMap<string, bigint>;
  /** SHA-256 of the file, in hex. */
  readonly digest: string;
}

/** A file of rows that a service takes all at once, of a sale that isn't read from a contract. */
export interface FileImport<Summary extends FileSummary> {
  readonly path: string;
  /** The name of a row: `commitment` or `allocation`. */
  readonly noun: string;
  /** Whether a file without rows is sent. */
  readonly sendsNone: boolean;
  /** @throws ImportError, or the error of a file that can't be read */
  check(tokens: readonly string[], signal: AbortSignal): Promise<Summary>;
  countOf(summary: Summary): bigint;
  send(summary: Summary, target: { readonly saleUuid: string; readonly importId: string }): AsyncIterable<SentImport>;
}

/**
 * Checks a file, says what it holds, and sends it, by the arguments and options `dry-run` and `again` of a command.
 *
 * @throws CommandFailure naming the file, or the sale if it is read from a contract
 */
export async function importFile<Summary extends FileSummary>(
  file: FileImport<Summary>,
  input: CommandInput,
  context: CliContext,
): Promise<void> {
  const [saleUuid = ""] = input.positionals;
  const sale = required(await context.sales.getSale({ saleUuid }, { signal: context.signal }), "sale");
  checkFedByRpc(sale);
  const summary = await inFile(file.path, () => file.check(tokensOf(sale), context.signal));
  const count = file.countOf(summary);
  const counts = `${counted(count, file.noun)} of ${counted(summary.entities, "entity", "entities")}`;
  await write(context.output, `${[counts, ...tokenSums(summary.totals, sale)].join("\n")}\n`);
  if (input.flag("dry-run") || (count === 0n && !file.sendsNone)) return;
  const importId = input.flag("again") ? randomUUID() : summary.digest;
  await inFile(file.path, () => showImport(file.send(summary, { saleUuid: sale.uuid, importId }), count, context));
}

async function showImport(
  states: AsyncIterable<SentImport>,
  total: bigint,
  { output, errors, signal }: CliContext,
): Promise<void> {
  const progress = new RowProgress("import", total, errors);
  try {
    let last: SentImport | undefined;
    for await (const state of states) {
      last = state;
      await progress.show(state.sent);
    }
    await progress.end();
    const { revision = 0n, wasApplied = true } = last ?? {};
    const done = wasApplied ? "the file was imported before: nothing changed (--again imports it anew)" : "imported";
    await write(output, `${done}; revision ${revision}\n`);
  } catch (error) {
    await progress.end();
    if (signal.aborted) throw new Interrupted(`interrupted: readers see all of the file or nothing; ${AGAIN}`);
    throw error;
  }
}

/** @throws CommandFailure for a sale that is read from a contract */
function checkFedByRpc({ uuid, definition }: Sale): void {
  if (definition?.source.case === undefined) return;
  throw new CommandFailure(`${uuid} is read from its contract, so nothing can be imported`);
}

/** Runs something that reads a file. @throws CommandFailure naming the file, for one that is wrong or can't be read */
async function inFile<Result>(path: string, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    throw fileFailure(path, error);
  }
}

/** Returns the addresses of the tokens that a sale takes. */
function tokensOf({ definition }: Sale): readonly string[] {
  return definition?.paymentTokens.map(({ address }) => address) ?? [];
}

/** Returns a line for each token with the sum of its amounts, in whole tokens. @param totals by token, in its smallest units */
function tokenSums(totals: ReadonlyMap<string, bigint>, { definition }: Sale): readonly string[] {
  return Array.from(totals, ([address, sum]) => {
    const token = definition?.paymentTokens.find((each) => each.address.toLowerCase() === address.toLowerCase());
    return `  ${address}: ${amountEntry({ decimals: token?.decimals ?? 0 }, sum)}`;
  });
}
