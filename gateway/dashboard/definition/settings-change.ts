import { shownPaths, withMaskedFields } from "../../../common/sale/definition/field-mask.ts";
import { type SaleDefinition, SaleDefinitionSchema } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";

/** The alternatives of pricing and source: the form shows all of them. */
const ALTERNATIVES = SaleDefinitionSchema.oneofs.flatMap(({ fields }) => fields.map(({ name }) => name));

/** The fields of `SaleDefinition` that the form of a sale's settings shows. */
const SHOWN = [
  "name",
  "payment_tokens",
  "payment_token_decimals",
  "offered_token_decimals",
  "price_tick",
  ...ALTERNATIVES,
  "extra_data_parameters",
  "cancelled_keeps_amounts",
];

/**
 * Returns the parts of an update that changes what the form shows.
 *
 * @param before the stored definition, of which a service of the version before keeps only what the request repeats
 */
export function settingsChange(before: SaleDefinition | undefined, parsed: SaleDefinition) {
  const paths = [...shownPaths(parsed, SHOWN)];
  const definition = before === undefined ? parsed : withMaskedFields(before, parsed, paths);
  return { definition, updateMask: { paths } };
}
