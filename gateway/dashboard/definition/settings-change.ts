import { shownPaths, withMaskedFields } from "../../../common/sale/definition/field-mask.ts";
import type { SaleDefinition } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { SHOWN_FIELDS } from "./sale-form-values.ts";

/**
 * Returns the parts of an update that changes what the form shows.
 *
 * @param before the stored definition, of which a service of the version before keeps only what the request repeats
 */
export function settingsChange(before: SaleDefinition | undefined, parsed: SaleDefinition) {
  const paths = [...shownPaths(parsed, SHOWN_FIELDS)];
  const definition = before === undefined ? parsed : withMaskedFields(before, parsed, paths);
  return { definition, updateMask: { paths } };
}
