import { create } from "@bufbuild/protobuf";
import { type SaleDefinition, SaleDefinitionSchema } from "../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { type DefinitionLine, definitionLines } from "./definition-lines.ts";
import type { FormErrors } from "./form-errors.ts";
import { type ReadOptions, readDefinition } from "./sale-definition-form.ts";
import type { SaleEntries } from "./sale-entries.ts";
import { checkSource, type SourceCheck, type SourceChecker } from "./sources.ts";

/** What a form's entries come to. */
export interface EntriesMeaning {
  /** Absent where there are errors. */
  readonly definition?: SaleDefinition;
  readonly errors: FormErrors;
  readonly lines: readonly DefinitionLine[];
}

export function meaningOf(entries: SaleEntries, options: ReadOptions): EntriesMeaning {
  const read = readDefinition(entries, options);
  if (read.definition === undefined) return { errors: read.errors, lines: [] };
  const definition = create(SaleDefinitionSchema, read.definition);
  // As the service decides them where they are left out: they agree.
  definition.paymentTokenDecimals ??= definition.paymentTokens[0]?.decimals ?? 0;
  return { definition, errors: [], lines: definitionLines(definition) };
}

/** Looks at the contract that was entered for a sale, for an account; undefined where there is none. */
export async function checkEntered(
  { source, chain, address, tokens }: SaleEntries,
  checker: SourceChecker,
  { accountUuid, saleUuid }: { readonly accountUuid: string; readonly saleUuid: string },
): Promise<SourceCheck | undefined> {
  if (source !== "chain") return undefined;
  const paymentTokens = tokens.map((token) => token.address);
  return checkSource(checker, accountUuid, { chain, address, saleUuid, paymentTokens });
}
