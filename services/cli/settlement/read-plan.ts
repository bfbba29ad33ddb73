import type { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Allocation } from "../../../common/sale/record/allocation.ts";
import { allocationsOf } from "../../../common/sale/settlement/allocations-of.ts";
import { bookOfPlan } from "../../../common/sale/settlement/book-of-plan.ts";
import { PlanError } from "../../../common/sale/settlement/plan-field.ts";
import { type Settlement, settle } from "../../../common/sale/settlement/settle.ts";
import type { SettlementInput } from "../../../common/sale/settlement/settlement-book.ts";
import { planTexts } from "../../../common/sale/settlement/settlement-json.ts";
import { NoAnswer } from "../base/cli-error.ts";

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
  const bytes = await readFile(path).catch((error: Error) => {
    throw new NoAnswer(error.message);
  });
  const settlement = settledAgain(bytes, path);
  const hash = createHash("sha256").update(bytes).digest("hex");
  const again = createHash("sha256");
  for (const text of planTexts(settlement)) again.update(text);
  const isOfRule = again.digest("hex") === hash;
  const { book, commitments } = settlement;
  return { hash, input: book.input, allocations: allocationsOf(commitments), isOfRule };
}

function settledAgain(bytes: Buffer, path: string): Settlement {
  try {
    return settle(bookOfPlan(JSON.parse(bytes.toString("utf8"))));
  } catch (error) {
    if (error instanceof SyntaxError) throw new NoAnswer(`${path} isn't JSON`);
    if (error instanceof PlanError) throw new NoAnswer(`${path} isn't a settlement plan: ${error.message}`);
    throw error;
  }
}
