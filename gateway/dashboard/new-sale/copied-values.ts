import { withMaskedFields } from "../../../common/sale/definition/field-mask.ts";
import { pathOf, SALE_FIELDS } from "../../../common/sale/definition/sale-fields.ts";
import type { SaleDefinition } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { DashboardDependencies } from "../base/dashboard-dependencies.ts";
import { type Founder, permitted, saleMissing } from "../base/founder.ts";
import { formValuesOfDefinition } from "../definition/sale-definition-form.ts";
import type { SaleFormValues } from "../definition/sale-form-values.ts";
import { storedFormValues } from "../presentation/presentation-form-values.ts";
import { withoutStated } from "./contract-values.ts";
import { FIRST_NEW_SALE, type NewSaleValues, WORD_FIELDS } from "./new-sale-values.ts";

/** Returns the definition of the sale that is copied. @throws PageError 404 */
export async function copiedDefinition(
  { atCommitments }: Founder,
  { dashboard }: DashboardDependencies,
  from: string,
): Promise<SaleDefinition> {
  const { sale } = await permitted(() => dashboard.sales.getSale({ saleUuid: from }, atCommitments));
  if (sale?.definition === undefined) throw saleMissing();
  return sale.definition;
}

/** Returns the first values of a copy, in live tenancy. */
export function copiedValues(definition: SaleDefinition): NewSaleValues {
  const stored = storedFormValues(definition);
  const words = WORD_FIELDS.map(({ form }) => [form.name, stored[form.name] ?? ""]);
  return { ...FIRST_NEW_SALE, sale: copiedSettings(definition), words: Object.fromEntries(words) };
}

/** Another sale has another contract: neither it nor what it says of itself is copied, and the new one says its payment tokens. */
function copiedSettings(definition: SaleDefinition): SaleFormValues {
  const values = formValuesOfDefinition(definition, "live");
  if (values.source !== "chain") return values;
  const usdStablecoin = values.tokens.every((token) => token.usdStablecoin);
  const tokens = [{ address: "", decimals: "", usdStablecoin }];
  return { ...withoutStated(values), address: "", contractVersion: "", keepsAmounts: false, tokens };
}

/** The fields about what people read that a new sale doesn't ask for. Times are those of the other sale's schedule. */
const COPIED_UNASKED = SALE_FIELDS.filter(
  (field) => field.kind !== "time" && !WORD_FIELDS.some(({ key }) => key === field.key),
).map(pathOf);

/** Returns the definition of a copy with what the other sale says and a new sale doesn't ask for. */
export function withCopiedWords(definition: SaleDefinition, copied: SaleDefinition): SaleDefinition {
  return withMaskedFields(definition, copied, COPIED_UNASKED);
}
