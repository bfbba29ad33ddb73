import type { DescEnum } from "@bufbuild/protobuf";
import type { GenEnum } from "@bufbuild/protobuf/codegenv2";

/** The name of an enum value, such as `pre_open`; undefined for the unspecified and for unknown numbers. */
export function enumName(schema: DescEnum, number: number): string | undefined {
  return number === 0 ? undefined : schema.value[number]?.localName.toLowerCase();
}

/** All names of an enum but the unspecified one. */
export function enumNames(schema: DescEnum): readonly string[] {
  return schema.values.flatMap(({ number }) => enumName(schema, number) ?? []);
}

/** The number of a name; undefined for an unknown name. */
export function enumNumber<Enum extends number>(schema: GenEnum<Enum>, name: string): Enum | undefined {
  return schema.values.find(({ number }) => enumName(schema, number) === name)?.number as Enum | undefined;
}
