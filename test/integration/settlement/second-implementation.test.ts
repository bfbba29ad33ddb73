import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { settle } from "../../../common/sale/settlement/settle.ts";
import { planTexts } from "../../../common/sale/settlement/settlement-json.ts";
import { findProgram } from "../../support/processes/program.ts";
import { randomBook, shuffled } from "../../support/sales/random-book.ts";

const PYTHON = findProgram("python3");
const PROGRAM = "test/settlement/settle.py";
const BOOKS = 1_000;

/** The members of a commitment that a book has, too. */
const INPUTS = new Set(["commitmentId", "entityId", "priceTicks", "amounts"]);

const planOf = (seed: number, order = seed) => [...planTexts(settle(shuffled(randomBook(seed), order)))].join("");

/** Returns a plan without its outcome, and with everything in another order. */
function bookLine(seed: number): string {
  const plan = JSON.parse(planOf(seed));
  for (const name of ["price", "totals"]) delete plan[name];
  plan.commitments = plan.commitments.reverse().map((commitment: Record<string, unknown>) => {
    const inputs = Object.entries(commitment).filter(([name]) => INPUTS.has(name));
    const amounts = (commitment["amounts"] as { accepted?: string }[]).reverse();
    for (const amount of amounts) delete amount.accepted;
    return Object.fromEntries(inputs);
  });
  for (const list of [plan.refusals, plan.limits, plan.terms.paymentTokens]) list.reverse();
  return JSON.stringify(plan);
}

async function runPython(args: readonly string[], input: string): Promise<string> {
  const process = spawn(PYTHON ?? "", [PROGRAM, ...args], { stdio: ["pipe", "pipe", "inherit"] });
  process.stdin.end(input);
  const output = await text(process.stdout);
  if (process.exitCode === null) await once(process, "exit");
  expect(process.exitCode).toBe(0);
  return output;
}

describe.skipIf(PYTHON === undefined)("the second implementation of the settlement (python3)", () => {
  it(`makes the same bytes of ${BOOKS} random books`, async () => {
    const seeds = Array.from({ length: BOOKS }, (_, index) => 10_000 + index);
    const hashes = (await runPython(["--lines"], `${seeds.map(bookLine).join("\n")}\n`)).trim().split("\n");
    const differing = seeds.filter((seed, index) => {
      return createHash("sha256").update(planOf(seed)).digest("hex") !== hashes[index];
    });
    expect([hashes.length, differing]).toEqual([BOOKS, []]);
  });
});
