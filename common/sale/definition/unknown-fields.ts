import { SaleDefinitionSchema, SalePresentationSchema } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { SaleDefinition } from "./sale.ts";

const KNOWN: ReadonlySet<string> = new Set(SaleDefinitionSchema.members.map(({ localName }) => localName));
const KNOWN_OF_PRESENTATION: ReadonlySet<string> = new Set(
  SalePresentationSchema.members.map(({ localName }) => localName),
);

/**
 * Returns a definition with the fields of a stored one that this version doesn't know, since a later one has stored them: during
 * an upgrade both run side by side.
 */
export function withUnknownFields(definition: SaleDefinition, stored: SaleDefinition): SaleDefinition {
  const presentation = { ...unknownIn(stored.presentation, KNOWN_OF_PRESENTATION), ...definition.presentation };
  return {
    ...unknownIn(stored, KNOWN),
    ...definition,
    ...(Object.keys(presentation).length > 0 && { presentation }),
  };
}

function unknownIn(stored: object | undefined, known: ReadonlySet<string>): object {
  return Object.fromEntries(Object.entries(stored ?? {}).filter(([key]) => !known.has(key)));
}
