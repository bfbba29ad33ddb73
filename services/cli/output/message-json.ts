import {
  type DescField,
  type DescMessage,
  type JsonObject,
  type JsonValue,
  type MessageShape,
  ScalarType,
  toJson,
} from "@bufbuild/protobuf";
import { hexOfBytes } from "../../../common/platform/encoding/hex.ts";

const TIMESTAMP = "google.protobuf.Timestamp";

/**
 * A message for programs: its JSON form with enum values by their short names, such as `complete`, and bytes as `0x` and hex.
 * 64-bit integers are strings.
 */
export function messageJson<Desc extends DescMessage>(schema: Desc, message: MessageShape<Desc>): JsonObject {
  return named(schema, toJson(schema, message, { alwaysEmitImplicit: true }) as JsonObject);
}

function named(schema: DescMessage, json: JsonObject): JsonObject {
  const fields = new Map(schema.fields.map((field) => [field.jsonName, field]));
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => {
      const field = fields.get(name);
      if (field === undefined) return [name, value];
      return [name, Array.isArray(value) ? value.map((each) => namedValue(field, each)) : namedValue(field, value)];
    }),
  );
}

function namedValue(field: DescField, value: JsonValue): JsonValue {
  const { enum: enumeration, message, scalar } = field;
  if (enumeration !== undefined) {
    return enumeration.values.find(({ name }) => name === value)?.localName.toLowerCase() ?? value;
  }
  if (message !== undefined) {
    return message.typeName === TIMESTAMP ? value : named(message, value as JsonObject);
  }
  const isBytes = scalar === ScalarType.BYTES && typeof value === "string";
  return isBytes ? `0x${hexOfBytes(Buffer.from(value, "base64"))}` : value;
}
