import { create } from "@bufbuild/protobuf";
import { type SaleDefinition, SaleDefinitionSchema } from "../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { type DefinitionLine, definitionLines } from "../../services/shared/sale-definition/definition-lines.ts";
import { checkSource, type SourceCheck, type SourceChecker } from "./check-source.ts";
import type { FormErrors } from "./form-errors.ts";
import { type ReadOptions, readDefinition } from "./sale-definition-form.ts";
import type { SaleEntries } from "./sale-entries.ts";

/** The result of checking a form's entries. */
export interface EntriesMeaning {
  /** Definition that the entries mean; absent where there are errors. */
  readonly definition?: SaleDefinition;
  readonly errors: FormErrors;
  readonly lines: readonly DefinitionLine[];
}

export function meaningOf(entries: SaleEntries, options: ReadOptions): EntriesMeaning {
  const read = readDefinition(entries, options);
  if (read.definition === undefined) return { errors: read.errors, lines: [] };
  const definition = create(SaleDefinitionSchema, read.definition);
  // The service's default: it lets the decimals be left out where all tokens have the same.
  definition.paymentTokenDecimals ??= definition.paymentTokens[0]?.decimals ?? 0;
  return { definition, errors: [], lines: definitionLines(definition) };
}

/** Checks the contract that was entered for a sale, on behalf of an account; undefined where none was entered. */
export async function checkEntered(
  { source, chain, address, contractVersion, tokens, keepsAmounts }: SaleEntries,
  checker: SourceChecker,
  { accountUuid, saleUuid }: { readonly accountUuid: string; readonly saleUuid: string },
): Promise<SourceCheck | undefined> {
  if (source !== "chain") return undefined;
  const paymentTokens = tokens.map((token) => token.address);
  const version = /^[12]$/.test(contractVersion) ? Number(contractVersion) : 0;
  const entered = { chain, address, saleUuid, paymentTokens, contractVersion: version, keepsAmounts };
  return checkSource(checker, accountUuid, entered);
}
