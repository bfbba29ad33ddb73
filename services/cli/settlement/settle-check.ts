import { hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { parseUuid } from "../../../common/platform/encoding/uuid.ts";
import type { Allocation } from "../../../common/sale/record/allocation.ts";
import { type AllocationDifference, compareAllocations } from "../../../common/sale/settlement/compare-allocations.ts";
import type { SettlementInput } from "../../../common/sale/settlement/settlement-book.ts";
import { allocationPages } from "../base/allocation-pages.ts";
import type { CliContext } from "../base/cli-context.ts";
import { CommandFailure, NoAnswer, UsageError } from "../base/cli-error.ts";
import type { Command, CommandInput } from "../base/command.ts";
import { required } from "../base/required.ts";
import { counted } from "../output/counted.ts";
import { failureText } from "../output/failure-text.ts";
import { terminalText } from "../output/terminal-text.ts";
import { write } from "../output/write.ts";
import { requireSettleable } from "./not-settleable.ts";
import { type PlanFile, readPlan } from "./read-plan.ts";

const HASH = /^(0x)?[0-9a-fA-F]{64}$/;
const SHOWN_DIFFERENCES = 100;
const CHANGED = "the sale has changed meanwhile: run the command again";

export const settleCheck: Command = {
  name: "settle check",
  positionals: ["UUID", "PLAN"],
  summary: "compare what a sale's contract accepted with a plan",
  details: `PLAN is the plan.json of \`settle plan\`. Its hash is printed, its inputs are settled again by the rule, and its allocations are compared
with those that were read from the contract, or imported for a sale without one.

The exit code is 0 if all is the same, 1 at any difference, and 2 if it couldn't be compared.`,
  options: { hash: { type: "string", value: "HEX", help: "the SHA-256 that the plan must have" } },
  async run(input, context) {
    const [sale = "", path = ""] = input.positionals;
    const saleUuid = parseUuid(sale);
    if (saleUuid === undefined) throw new UsageError("UUID expects the UUID of a sale");
    const expected = hashOf(input);
    const plan = await readPlan(path);
    await write(context.output, `SHA-256  ${plan.hash}\n`);
    const problems = planProblems(plan, saleUuid, expected);
    if (problems.length > 0) throw new CommandFailure(problems.join("\n"));
    await compare(plan, saleUuid, context);
  },
};

/** @throws UsageError for anything but a SHA-256 */
function hashOf(input: CommandInput): string | undefined {
  const text = input.text("hash");
  if (text === undefined) return undefined;
  if (!HASH.test(text)) throw new UsageError("--hash expects 64 hexadecimal digits");
  return text.toLowerCase().replace("0x", "");
}

function planProblems(plan: PlanFile, saleUuid: string, expected = plan.hash): readonly string[] {
  const { hash, isOfRule, input } = plan;
  return [
    ...(hash === expected ? [] : [`NOT THE SAME: the plan should have the hash ${expected}`]),
    ...(isOfRule ? [] : ["NOT THE SAME: the rule makes another plan of the inputs that this one names"]),
    ...(input.saleUuid === saleUuid ? [] : [`NOT THE SAME: the plan is of the sale ${terminalText(input.saleUuid)}`]),
  ];
}

/** @throws CommandFailure at a difference; NoAnswer if the allocations can't be read, or aren't known to be those of now */
async function compare({ allocations: planned, input }: PlanFile, saleUuid: string, context: CliContext) {
  const { allocations, differs, now } = await actualAllocations(saleUuid, context).catch((error: unknown) => {
    context.signal.throwIfAborted();
    throw new NoAnswer(`not compared: ${error instanceof CommandFailure ? error.message : failureText(error)}`);
  });
  if (input.source?.chainId !== undefined && now.source !== undefined && now.source.chainId === undefined) {
    throw new NoAnswer("not compared: Tidemark doesn't say (yet) which chain the contract is on");
  }
  if (sourceText(now) !== sourceText(input)) {
    throw new CommandFailure(`NOT THE SAME: the plan is of ${sourceText(input)}, the sale of ${sourceText(now)}`);
  }
  const differences = compareAllocations(planned, allocations);
  for (const each of differences.slice(0, SHOWN_DIFFERENCES)) await write(context.output, `${differenceText(each)}\n`);
  const more = differences.length - SHOWN_DIFFERENCES;
  const problems = [
    ...(differences.length === 0 ? [] : [counted(BigInt(differences.length), "difference")]),
    ...(more > 0 ? [`${SHOWN_DIFFERENCES} of them are shown`] : []),
    ...(differs ? ["the allocations don't add up to the contract's own totals"] : []),
  ];
  if (now.stage === "settlement") await write(context.output, "The contract isn't done: it may still change.\n");
  if (problems.length > 0) throw new CommandFailure(`NOT THE SAME: ${problems.join("; ")}`);
  await write(context.output, `Everything is the same: ${counted(BigInt(planned.length), "allocation")}.\n`);
}

/** Returns where a sale is read from, as a text for people. */
function sourceText({ source }: SettlementInput): string {
  if (source === undefined) return "no contract";
  const chain = source.chainId === undefined ? source.chain : `${source.chain} (${source.chainId})`;
  return terminalText(`contract ${source.contract} on ${chain}`);
}

/** The allocations of a sale, and whether they contradict the contract's own totals. */
interface ActualAllocations {
  readonly allocations: readonly Allocation[];
  readonly differs: boolean;
  /** The input that a plan of now would have. */
  readonly now: SettlementInput;
}

/** @throws CommandFailure where what is read may be old, incomplete or a mixture; what the calls throw */
async function actualAllocations(saleUuid: string, context: CliContext): Promise<ActualAllocations> {
  const { sales, signal } = context;
  const settleable = async () =>
    requireSettleable(required(await sales.getSale({ saleUuid }, { signal }), "sale")).input;
  const now = await settleable();
  const isOfNow = (read: Pick<SettlementInput, "generation" | "revision">) =>
    read.generation === now.generation && read.revision === now.revision;
  const allocations: Allocation[] = [];
  let differs = false;
  for await (const page of allocationPages(saleUuid, context)) {
    if (!isOfNow(page)) throw new CommandFailure(CHANGED);
    differs ||= page.saleAllocations?.differs === true;
    for (const { entityId, wallet, token, accepted } of page.allocations) {
      allocations.push({ entityId: hexOfBytes(entityId), wallet, token, accepted: BigInt(accepted) });
    }
  }
  // A sweep may have begun, or the source failed, since the sale was read first.
  if (!isOfNow(await settleable())) throw new CommandFailure(CHANGED);
  return { allocations, differs, now };
}

function differenceText({ entityId, wallet, token, planned, actual }: AllocationDifference): string {
  const names = [`entity 0x${entityId}`, `wallet ${terminalText(wallet)}`, `token ${terminalText(token)}`];
  return `${names.join(", ")}: planned ${planned}, accepted ${actual}`;
}
