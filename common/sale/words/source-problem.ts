import type { SourceProblem } from "../definition/source-findings.ts";

/** Returns a sale's ID as contracts store it. */
export function idInContract(saleUuid: string): string {
  return `0x${saleUuid.replaceAll("-", "")}`;
}

/** Returns what is wrong with a sale's contract, as a clause that begins in lower case, the same for all who read it. */
export function sourceProblemClause(problem: SourceProblem): string {
  switch (problem.kind) {
    case "unreadable":
      return problem.reason;
    case "other_sale": {
      const [its, ours] = [idInContract(problem.saleUuid), idInContract(problem.expected)];
      return `the contract belongs to another sale: it holds the ID ${its}, and this sale’s is ${ours}`;
    }
    case "unlisted_token":
      return `the contract takes the payment token ${problem.address}, which this sale doesn’t list`;
    case "cancelled_amounts":
      return problem.keeps
        ? "the contract keeps the amounts of cancelled commitments, and the sale says otherwise"
        : "the contract takes the amounts of cancelled commitments away, and the sale says otherwise";
    case "token_decimals":
      return `the payment token ${problem.address} has ${problem.decimals} decimals on its chain, and ${problem.expected} in the sale`;
  }
}
