import type { SaleStage } from "../../../sale/state/stage.ts";
import type { ContractMeaning, ContractSettings, ContractStatements } from "../../contract-facts.ts";

/** A major version of the reference contract. */
export type ContractVersion = 1 | 2;

interface VersionTraits {
  /** Stages by the number that `stage()` returns. */
  readonly stages: readonly SaleStage[];
  /** Whether the amounts of a cancelled commitment stay. */
  readonly cancelledKeepsAmounts: boolean;
}

const TRAITS: Readonly<Record<ContractVersion, VersionTraits>> = {
  1: {
    stages: ["pre_open", "commitment", "closed", "cancellation", "settlement", "done"],
    cancelledKeepsAmounts: true,
  },
  2: { stages: ["pre_open", "commitment", "cancellation", "settlement", "done"], cancelledKeepsAmounts: false },
};
/** The version of a contract that doesn't say it, and whose sale doesn't either. */
const DEFAULT_VERSION: ContractVersion = 2;

/** Decides which version's stages a contract has: those of its `version()`, else those that the sale's definition names. */
export function meaningOf(statements: ContractStatements, settings: ContractSettings): ContractMeaning {
  const own = statements.release && knownVersion(statements.release[0]);
  const declared = knownVersion(settings.contractVersion);
  const named = own ?? declared;
  const version = named ?? (statements.release === undefined ? DEFAULT_VERSION : undefined);
  const stage = stageOf(statements.stageNumber, version);
  const cancelledKeepsAmounts = named && TRAITS[named].cancelledKeepsAmounts;
  const warnings = [
    versionWarning(statements, version, declared),
    stageWarning(statements.stageNumber, version),
    cancellationWarning(named, settings.cancelledKeepsAmounts),
  ].filter((warning) => warning !== undefined);
  return {
    ...(stage === undefined ? {} : { stage }),
    ...(cancelledKeepsAmounts === undefined ? {} : { cancelledKeepsAmounts }),
    warnings,
  };
}

function knownVersion(major: number | undefined): ContractVersion | undefined {
  return major === 1 || major === 2 ? major : undefined;
}

function stageOf(number: number | undefined, version: ContractVersion | undefined): SaleStage | undefined {
  return number === undefined || version === undefined ? undefined : TRAITS[version].stages[number];
}

function versionWarning(
  { release }: ContractStatements,
  version: ContractVersion | undefined,
  declared: ContractVersion | undefined,
): string | undefined {
  if (release === undefined) return undefined;
  const said = `version() of the contract is ${release.join(".")}`;
  if (version === undefined) {
    return `${said}, whose stages aren't known: set in the sale's settings which version's stages it has`;
  }
  if (declared === undefined || declared === version) return undefined;
  return `${said}, but the sale's settings say version ${declared}: correct them (the contract's own version counts)`;
}

function stageWarning(number: number | undefined, version: ContractVersion | undefined): string | undefined {
  if (number === undefined || version === undefined || TRAITS[version].stages[number] !== undefined) return undefined;
  const problem = `stage() of the contract is ${number}, which version ${version} of the reference contract doesn't have`;
  return `${problem}: if it has the stages of another version, set that in the sale's settings`;
}

function cancellationWarning(version: ContractVersion | undefined, setting: boolean | undefined): string | undefined {
  if (version === undefined || setting === undefined || setting === TRAITS[version].cancelledKeepsAmounts) {
    return undefined;
  }
  const fact = setting
    ? "takes the amounts of cancelled commitments away"
    : "keeps the amounts of cancelled commitments";
  return `a contract of version ${version} ${fact}: correct that in the sale's settings before it is settled`;
}
