import { create } from "@bufbuild/protobuf";
import { contractFamilyNamed } from "../../../common/sale/definition/contract-family.ts";
import { type DefinitionLine, definitionLines } from "../../../common/sale/words/definition-lines.ts";
import { type SaleDefinition, SaleDefinitionSchema } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { FormErrors } from "../base/form-errors.ts";
import { checkSource, type SourceCheck, type SourceChecker } from "./check-source.ts";
import { definitionStyle } from "./definition-style.ts";
import { type ReadOptions, readDefinition } from "./sale-definition-form.ts";
import type { SaleFormValues } from "./sale-form-values.ts";
import { decimalsErrors, type FoundToken } from "./token-check.ts";

/** The result of checking a form's entries. */
export interface ParsedDefinition {
  /** Definition that the form's values mean; absent where there are errors. */
  readonly definition?: SaleDefinition;
  readonly errors: FormErrors;
  readonly lines: readonly DefinitionLine[];
}

/** The chains and earlier settings by which entries are read and checked. */
export interface MeaningOptions extends ReadOptions {
  /** The facts of the tokens on the chain, in their order. */
  readonly found?: readonly FoundToken[];
  /** Number of tokens that can't change. */
  readonly frozenTokens?: number;
}

/** Reads the form's values of a form. */
export function parseDefinition(formValues: SaleFormValues, options: MeaningOptions): ParsedDefinition {
  const { found = [], frozenTokens } = options;
  const read = readDefinition(formValues, options);
  const errors = [...read.errors, ...decimalsErrors(formValues, found, frozenTokens)];
  if (read.definition === undefined || errors.length > 0) return { errors, lines: [] };
  const definition = create(SaleDefinitionSchema, read.definition);
  const symbols = new Map(formValues.tokens.map(({ address }, index) => [address, found[index]?.symbol ?? ""]));
  for (const token of definition.paymentTokens) token.symbol = symbols.get(token.address) ?? "";
  // The service's default: it lets the decimals be left out where all tokens have the same.
  definition.paymentTokenDecimals ??= definition.paymentTokens[0]?.decimals ?? 0;
  return { definition, errors: [], lines: definitionLines(definition, definitionStyle()) };
}

/** Whoever entered a contract, and the sale for which. */
interface EnteredFor {
  readonly accountUuid: string;
  readonly saleUuid: string;
  /** Whether the settings aren't entered yet that depend on the contract's family. */
  readonly takesFamily?: boolean;
}

/** Checks the contract that was entered for a sale, on behalf of an account; undefined where none was entered. */
export async function checkEntered(
  formValues: SaleFormValues,
  checker: SourceChecker,
  { accountUuid, saleUuid, takesFamily = false }: EnteredFor,
): Promise<SourceCheck | undefined> {
  const { source, chain, address, contractVersion, tokens, keepsAmounts: cancelledKeepsAmounts } = formValues;
  if (source !== "chain") return undefined;
  const paymentTokens = tokens.map((token) => token.address);
  const version = /^[12]$/.test(contractVersion) ? Number(contractVersion) : 0;
  // The decimals that are entered are compared beside their fields.
  const compared = { saleUuid, paymentTokens, cancelledKeepsAmounts, decimals: [], takesFamily };
  const contractFamily = contractFamilyNamed(formValues.contractFamily);
  return checkSource(checker, accountUuid, { ...compared, chain, address, contractVersion: version, contractFamily });
}
