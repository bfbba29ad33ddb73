import type { SaleDefinition } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { GetRulesResponse } from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import type { ParticipationRules } from "../../../proto/gen/tidemark/entities/v1/participation_rules_pb.ts";
import type { CliContext } from "../base/cli-context.ts";
import { CommandFailure } from "../base/cli-error.ts";
import { requiredSale } from "../sales/required-sale.ts";

/** A sale with the rules of taking part in it. */
export interface TakingPart {
  readonly definition: SaleDefinition;
  readonly stored: GetRulesResponse;
  readonly rules: ParticipationRules;
}

type Services = Pick<CliContext, "sales" | "eligibility" | "signal">;

export async function readTakingPart({ sales, eligibility, signal }: Services, saleUuid: string): Promise<TakingPart> {
  const { definition } = requiredSale(await sales.getSale({ saleUuid }, { signal }));
  const stored = await eligibility.getRules({ saleUuid }, { signal });
  const { rules } = stored;
  if (definition === undefined || rules === undefined) throw new TypeError("an answer is incomplete");
  return { definition, stored, rules };
}

/** The decimals in which amounts of a sale are written. @throws CommandFailure if its payment tokens have different ones */
export function amountDecimals({ paymentTokens }: Pick<SaleDefinition, "paymentTokens">): number {
  const [decimals = 0, ...others] = new Set(paymentTokens.map((token) => token.decimals));
  if (others.length === 0) return decimals;
  throw new CommandFailure("the sale's payment tokens have different decimals, so no amount holds for all of them");
}
