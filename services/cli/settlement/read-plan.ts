import { createHash, type Hash } from "node:crypto";
import type { Allocation } from "../../../common/sale/record/allocation.ts";
import { allocationsOf } from "../../../common/sale/settlement/allocations-of.ts";
import { bookOfPlan } from "../../../common/sale/settlement/book-of-plan.ts";
import { PlanError } from "../../../common/sale/settlement/plan-field.ts";
import { settle } from "../../../common/sale/settlement/settle.ts";
import type { SettlementBook, SettlementInput } from "../../../common/sale/settlement/settlement-book.ts";
import { planTexts } from "../../../common/sale/settlement/settlement-json.ts";
import { NoAnswer } from "../base/cli-error.ts";
import { fileChunks } from "../files/file-chunks.ts";

/** A plan that was read from a file: only what it is compared by, as a whole plan of a large sale takes 200 MB. */
export interface PlanFile {
  /** SHA-256 of the file, hex. */
  readonly hash: string;
  readonly input: SettlementInput;
  /** The allocations that follow from the inputs that the plan names. */
  readonly allocations: readonly Allocation[];
  /** Whether the rule makes just these bytes of those inputs. */
  readonly isOfRule: boolean;
}

/** Reads a plan, and settles its inputs again. @throws NoAnswer for a file that can't be read, or isn't a plan */
export async function readPlan(path: string): Promise<PlanFile> {
  const hash = createHash("sha256");
  const { book, commitments, again } = settledAgain(await bookOf(path, hash));
  const digest = hash.digest("hex");
  return { hash: digest, input: book.input, allocations: allocationsOf(commitments), isOfRule: again === digest };
}

/** Settles a book. @returns the settlement with the SHA-256 of its plan, hex */
function settledAgain(book: SettlementBook) {
  const settlement = settle(book);
  const again = createHash("sha256");
  for (const text of planTexts(settlement)) again.update(text);
  return { ...settlement, again: again.digest("hex") };
}

async function bookOf(path: string, hash: Hash): Promise<SettlementBook> {
  try {
    return await bookOfPlan(textsOf(path, hash));
  } catch (error) {
    if (error instanceof SyntaxError) throw new NoAnswer(`${path} isn't JSON`);
    if (error instanceof PlanError) throw new NoAnswer(`${path} isn't a settlement plan: ${error.message}`);
    if (error instanceof Error && "code" in error) throw new NoAnswer(error.message);
    throw error;
  }
}

/** Yields the text of a file, all of whose bytes are hashed. */
async function* textsOf(path: string, hash: Hash): AsyncGenerator<string, void> {
  // A mark of the byte order isn't part of a plan.
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  for await (const bytes of fileChunks(path, (read) => void hash.update(read)))
    yield decoder.decode(bytes, { stream: true });
  yield decoder.decode();
}
