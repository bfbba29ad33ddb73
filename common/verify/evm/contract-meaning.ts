import {
  type ContractMeaning,
  type ContractSettings,
  type ContractStatements,
  meaningOf,
} from "../../contracts/reference/evm/contract-version.ts";
import type { ShownSale } from "../compare/shown-sale.ts";

/** The meaning of a contract's own statements, and a text for people if it had to be assumed. */
export interface AssumedMeaning extends ContractMeaning {
  readonly remark?: string;
}

/**
 * Decides what the number of a contract's stage means. Where neither the contract nor what Tidemark shows names a version, it may
 * be of either: that of the shown stage is assumed, as the other one would say nothing about the figures.
 */
export function contractMeaning(
  statements: ContractStatements,
  { stage, definition }: Pick<ShownSale, "stage" | "definition">,
): AssumedMeaning {
  const { contractVersion } = definition;
  const settings: ContractSettings = contractVersion === undefined ? {} : { contractVersion };
  const meaning = meaningOf(statements, settings);
  const isNamed = statements.release !== undefined || contractVersion !== undefined;
  if (isNamed || statements.stageNumber === undefined || meaning.stage === stage) return meaning;
  const first = meaningOf(statements, { contractVersion: 1 });
  if (first.stage !== stage) return meaning;
  const remark = `the contract doesn't say its version, and its stage ${statements.stageNumber} is taken for that of version 1`;
  return { ...first, remark };
}
