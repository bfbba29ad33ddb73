import { fill, type Translation } from "../../platform/language/message.ts";
import type { SourceProblem } from "../definition/source-findings.ts";

/** Returns a sale's ID as contracts store it. */
export function idInContract(saleUuid: string): string {
  return `0x${saleUuid.replaceAll("-", "")}`;
}

/** Faults of a sale's contract, in English. The section `sourceProblem` of the pages has it in each language. */
export const SOURCE_PROBLEM_WORDS = {
  otherSale: "the contract belongs to another sale: it holds the ID {its}, and this sale’s is {ours}",
  isAuction: "the contract is a Continuous Clearing Auction, and the sale’s settings are those of another contract",
  isNoAuction: "the contract is no Continuous Clearing Auction, and the sale’s settings say that it is one",
  otherOffer: "the auction offers {its} smallest units of its token, and this sale {ours}",
  otherFloor: "the auction’s lowest price is {its} price ticks, and this sale’s {ours}",
  otherOfferedDecimals: "the auction’s token has {its} decimals, and this sale says {ours}",
  unlistedToken: "the contract takes the payment token {token}, which this sale doesn’t list",
  keepsAmounts: "the contract keeps the amounts of cancelled commitments, and the sale says otherwise",
  losesAmounts: "the contract takes the amounts of cancelled commitments away, and the sale says otherwise",
  tokenDecimals: "the payment token {token} has {decimals} decimals on its chain, and {expected} in the sale",
} as const;

const TERM_WORDS = {
  other_offer: "otherOffer",
  other_floor: "otherFloor",
  other_offered_decimals: "otherOfferedDecimals",
} as const;

/** Returns what is wrong with a sale's contract, as a clause that begins in lower case, in English. */
export function sourceProblemClause(problem: SourceProblem): string {
  return sourceProblemIn(SOURCE_PROBLEM_WORDS, problem);
}

/** Returns the same in the words of a language. What a reader of the contract reports, an unreadable one, is in English. */
export function sourceProblemIn(words: Translation<typeof SOURCE_PROBLEM_WORDS>, problem: SourceProblem): string {
  switch (problem.kind) {
    case "unreadable":
      return problem.reason;
    case "other_sale": {
      const [its, ours] = [idInContract(problem.saleUuid), idInContract(problem.expected)];
      return fill(words.otherSale, { its, ours });
    }
    case "other_family":
      return problem.family === "cca" ? words.isAuction : words.isNoAuction;
    case "other_offer":
    case "other_floor":
    case "other_offered_decimals":
      return fill(words[TERM_WORDS[problem.kind]], { its: String(problem.its), ours: String(problem.ours) });
    case "unlisted_token":
      return fill(words.unlistedToken, { token: problem.address });
    case "cancelled_amounts":
      return problem.keeps ? words.keepsAmounts : words.losesAmounts;
    case "token_decimals":
      return fill(words.tokenDecimals, {
        token: problem.address,
        decimals: String(problem.decimals),
        expected: String(problem.expected),
      });
  }
}
