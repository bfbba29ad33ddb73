import type { RuleException } from "./import-violations.ts";

/**
 * Imports against a rule. The list only shrinks: a test fails for an exception that nothing needs any more. An exception of rule 13 names
 * two folders.
 */
export const EXCEPTIONS: readonly RuleException[] = [
  // The reader on Solana follows the accounts of the reference program, and there is no second program.
  {
    rule: 4,
    from: "common/contracts/reading/svm/**",
    to: "common/contracts/reference/svm/**",
    edges: 17,
    reason: "a list of accounts is only consistent by the rules of its program",
  },
];

/** How many files outside chains, contracts and verify name a family of chains (rule 12). The number only shrinks. */
export const FILES_NAMING_FAMILIES = 27;
