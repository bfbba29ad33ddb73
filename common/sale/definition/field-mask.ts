import { clone, create, type DescField, type DescMessage, type MessageShape } from "@bufbuild/protobuf";
import { type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import { type SaleDefinition, SaleDefinitionSchema } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";

/**
 * Numbers of the last fields of `SaleDefinition`, and of the messages in its fields by their numbers, that were there before updates
 * had a mask. They never change: a caller without a mask may not know later fields, and so
 * can't mean to remove them.
 */
const LAST_BEFORE_MASKS = 12;
const LAST_INSIDE: ReadonlyMap<number, number> = new Map([
  [6, 2],
  [7, 3],
  [8, 3],
  [9, 2],
  [12, 7],
]);

/** Returns the paths that name no field that a mask may name: unknown ones, and those that lead into a list. */
export function unknownPaths(paths: readonly string[]): readonly string[] {
  return paths.filter((path) => {
    let message: DescMessage | undefined = SaleDefinitionSchema;
    for (const name of path.split(".")) {
      const field: DescField | undefined = message?.fields.find((one) => one.name === name);
      if (field === undefined) return true;
      message = field.fieldKind === "message" ? field.message : undefined;
    }
    return false;
  });
}

/** Returns a definition with the fields that a mask names taken from another one. A field that is absent there goes. */
export function withMaskedFields(
  stored: SaleDefinition,
  sent: SaleDefinition,
  paths: readonly string[],
): SaleDefinition {
  const result = clone(SaleDefinitionSchema, stored);
  const source = reflectionOf(SaleDefinitionSchema, clone(SaleDefinitionSchema, sent));
  for (const path of paths) copyField(reflectionOf(SaleDefinitionSchema, result), source, path.split("."));
  return result;
}

/**
 * Returns the paths by which a writer names fields of its definition: for a message that is set, the fields of it that this
 * writer knows, so that later ones stay.
 *
 * @param names the fields of `SaleDefinition` that the writer shows
 */
export function shownPaths(definition: SaleDefinition, names: readonly string[]): readonly string[] {
  return leafPaths(definition, (field) => names.includes(field.name));
}

/** Returns the paths that an update without a mask means: fields from before masks, and later ones that it sets. */
export function pathsWithoutMask(sent: SaleDefinition): readonly string[] {
  const message = reflectionOf(SaleDefinitionSchema, sent);
  const isOld = (field: DescField) => field.number <= LAST_BEFORE_MASKS || message.isSet(field);
  const isOldInside = (field: DescField, parent: DescField & { readonly fieldKind: "message" }) =>
    field.number <= (LAST_INSIDE.get(parent.number) ?? field.number) || message.get(parent).isSet(field);
  // A presentation was absent in requests of callers that are older still, and then stayed.
  return leafPaths(sent, isOld, isOldInside).filter((path) => path !== "presentation");
}

/** Returns the paths of fields of a definition, and for messages that are set those of their fields instead. */
function leafPaths(
  definition: SaleDefinition,
  isNamed: (field: DescField) => boolean,
  isNamedInside: (field: DescField, parent: DescField & { readonly fieldKind: "message" }) => boolean = () => true,
): readonly string[] {
  const message = reflectionOf(SaleDefinitionSchema, definition);
  return message.fields.filter(isNamed).flatMap((parent) => {
    if (parent.fieldKind !== "message" || !message.isSet(parent)) return [parent.name];
    const inside = parent.message.fields.filter((field) => isNamedInside(field, parent));
    return inside.map(({ name }) => `${parent.name}.${name}`);
  });
}

function copyField(target: ReflectMessage, source: ReflectMessage, [name, ...rest]: readonly string[]): void {
  const field = target.fields.find((one) => one.name === name);
  if (field === undefined) return;
  if (rest.length > 0 && field.fieldKind === "message") {
    if (!target.isSet(field) && !source.isSet(field)) return;
    const inner = target.isSet(field) ? target.get(field) : reflectionOf(field.message, create(field.message));
    copyField(inner, source.get(field), rest);
    target.set(field, inner);
  } else if (source.isSet(field)) target.set(field, source.get(field));
  else target.clear(field);
}

function reflectionOf<Desc extends DescMessage>(desc: Desc, message: MessageShape<Desc>): ReflectMessage {
  // The writers' and the service's messages are of the same generated code, so each value fits its field.
  return reflect(desc, message, false);
}
