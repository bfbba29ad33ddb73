import type { SaleDefinition } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { GetRulesResponse } from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import type { ParticipationRules } from "../../../proto/gen/tidemark/entities/v1/participation_rules_pb.ts";
import type { CliContext } from "../base/cli-context.ts";
import { CommandFailure } from "../base/cli-error.ts";
import { required } from "../base/required.ts";

/** A sale with the rules of taking part in it. */
export interface TakingPart {
  readonly definition: SaleDefinition;
  readonly stored: GetRulesResponse;
  readonly rules: ParticipationRules;
}

type Services = Pick<CliContext, "sales" | "eligibility" | "signal">;

export async function readTakingPart({ sales, eligibility, signal }: Services, saleUuid: string): Promise<TakingPart> {
  const sale = required(await sales.getSale({ saleUuid }, { signal }), "sale");
  const stored = await eligibility.getRules({ saleUuid }, { signal });
  return { definition: required(sale, "definition"), stored, rules: required(stored, "rules") };
}

/** The decimals in which amounts of a sale are written. @throws CommandFailure if its payment tokens have different ones */
export function amountDecimals({ paymentTokens }: Pick<SaleDefinition, "paymentTokens">): number {
  const [decimals = 0, ...others] = new Set(paymentTokens.map((token) => token.decimals));
  if (others.length === 0) return decimals;
  throw new CommandFailure("the sale's payment tokens have different decimals, so no amount holds for all of them");
}
