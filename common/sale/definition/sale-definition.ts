import { AbiParameterError } from "./abi-type.ts";
import { checkAuctionSource } from "./auction-source.ts";
import { parseExtraDataParameters } from "./extra-data-parameters.ts";
import { checkPaymentTokens } from "./payment-tokens.ts";
import type { SaleDefinition } from "./sale.ts";
import { pathOf, type SalePresentation } from "./sale-fields.ts";
import { checkSaleName } from "./sale-name.ts";
import { checkPresentation } from "./sale-presentation.ts";
import { checkOfferedShare, checkPriceTick, checkPricing, offeredAmountField } from "./sale-pricing.ts";
import { checkSource } from "./sale-source.ts";
import { tickWidth } from "./tick-width.ts";
import { checkDecimals, decidePaymentTokenDecimals } from "./token-decimals.ts";
import { ViolationList } from "./violation-list.ts";

/** A definition as a caller sends it: nothing is checked, and addresses may be of any spelling. */
export interface SaleDefinitionDraft extends Omit<SaleDefinition, "paymentTokenDecimals"> {
  readonly paymentTokenDecimals?: number;
}

/** The parts of a sale's definition that a new one may keep as they are. */
export interface KeptDefinition {
  /** Decimals of a sale that is no longer a draft: they stay even if a token with other decimals is added. */
  readonly paymentTokenDecimals?: number | undefined;
  /** The name, which may be older than the rule about links in names. */
  readonly name?: string;
  /** Its logo stays. */
  readonly presentation?: SalePresentation | undefined;
}

/**
 * Checks a definition (the rules of `SaleDefinition` in the contract) and brings it into its canonical form.
 *
 * @throws ServiceError `invalid_argument` with up to 20 violations.
 */
export async function checkSaleDefinition(
  draft: SaleDefinitionDraft,
  kept: KeptDefinition = {},
): Promise<SaleDefinition> {
  const violations = new ViolationList();
  const { presentation: entered = {}, ...rest } = draft;
  const presentation = checkPresentation(entered, kept.presentation?.logo, violations);
  const definition = {
    ...rest,
    name: checkSaleName(draft.name, violations, kept.name),
    paymentTokens: checkPaymentTokens(draft, violations),
    paymentTokenDecimals: checkAllDecimals(draft, kept.paymentTokenDecimals, violations),
    ...(draft.source && { source: checkSource(draft.source, violations) }),
    ...(presentation && { presentation }),
  };
  checkPriceTick(draft.priceTick, violations);
  checkPricing(draft.pricing, tickWidth(draft), violations);
  checkAuctionSource(draft, violations);
  // The one of both that has changed.
  const isSameSupply = presentation?.totalSupply === kept.presentation?.totalSupply;
  const shareField = isSameSupply ? offeredAmountField(draft.pricing) : `definition.${pathOf({ key: "totalSupply" })}`;
  checkOfferedShare(draft.pricing, presentation?.totalSupply, shareField, violations);
  await checkExtraDataParameters(draft.extraDataParameters, violations);
  violations.throwIfAny();
  return definition;
}

/** Returns the decimals that amounts are listed in. */
function checkAllDecimals(
  { paymentTokens, paymentTokenDecimals, offeredTokenDecimals }: SaleDefinitionDraft,
  frozen: number | undefined,
  violations: ViolationList,
): number {
  if (offeredTokenDecimals !== undefined) {
    checkDecimals("definition.offered_token_decimals", offeredTokenDecimals, violations);
  }
  return decidePaymentTokenDecimals(paymentTokens, paymentTokenDecimals, frozen, violations);
}

async function checkExtraDataParameters(parameters: string, violations: ViolationList): Promise<void> {
  try {
    await parseExtraDataParameters(parameters);
  } catch (error) {
    if (!(error instanceof AbiParameterError)) throw error;
    violations.add("definition.extra_data_parameters", "abi_parameters", error.message);
  }
}
