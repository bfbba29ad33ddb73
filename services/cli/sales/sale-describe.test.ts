import { create, type MessageInitShape, type UnknownField } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { withMaskedFields } from "../../../common/sale/definition/field-mask.ts";
import { ASKED_FIELDS, type AskedField, pathOf } from "../../../common/sale/definition/sale-fields.ts";
import {
  type SaleDefinition,
  SaleDefinitionSchema,
  SaleSchema,
} from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { UpdateSaleRequestSchema } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import type { CliContext } from "../base/cli-context.ts";
import { COMMANDS } from "../commands.ts";
import { parseCommandLine } from "../parse-command-line.ts";

type UpdateInit = Exclude<MessageInitShape<typeof UpdateSaleRequestSchema>, { $typeName: string }>;

/** A field of a later version, as a reader of this one keeps it. */
const LATER: UnknownField = { no: 99, wireType: 2, data: new Uint8Array([1, 65]) };

function storedDefinition(): SaleDefinition {
  const definition = create(SaleDefinitionSchema, {
    name: "Harbour",
    offeredTokenDecimals: 2,
    pricing: { case: "fixed", value: { priceTicks: "20" } },
    presentation: {
      description: "A",
      website: "https://a.example/",
      offeredTokenSymbol: "TIDE",
      opensAtSeconds: 5n,
      closesAtSeconds: 6n,
      logo: "ab",
      totalSupply: "7",
    },
  });
  definition.$unknown = [LATER];
  if (definition.presentation) definition.presentation.$unknown = [LATER];
  return definition;
}

/** Runs `sale describe` with an option. @returns the request, and the definition that a service makes of it */
async function described(option: string): Promise<{ paths: readonly string[]; definition: SaleDefinition }> {
  const line = parseCommandLine(COMMANDS, ["sale", "describe", "u", option]);
  if (line.kind !== "run") throw new Error("expected a command to run");
  const updates: UpdateInit[] = [];
  const sale = create(SaleSchema, { uuid: "u", definitionVersion: 3n, definition: storedDefinition() });
  const sales = { getSale: async () => ({ sale }), updateSale: async (update: UpdateInit) => updates.push(update) };
  const output = { write: (_: string, written: () => void) => written() };
  await line.command.run(line.input, { sales, output } as unknown as CliContext);
  const [update] = updates;
  expect(update?.expectedDefinitionVersion).toBe(3n);
  const { definition, updateMask } = create(UpdateSaleRequestSchema, update);
  if (definition === undefined) throw new Error("the request has no definition");
  const paths = updateMask?.paths ?? [];
  return { paths, definition: withMaskedFields(storedDefinition(), definition, paths) };
}

/** The text of each kind on the command line, and its value in the message. */
const SAMPLES: Readonly<Record<AskedField["kind"], readonly [text: string, value: string | bigint | boolean]>> = {
  text: ["B", "B"],
  link: ["https://b.example/", "https://b.example/"],
  contact: ["help@b.example", "help@b.example"],
  symbol: ["SAIL", "SAIL"],
  amount: ["1,000", "100000"],
  time: ["1970-01-01T00:01:00Z", 60n],
  switch: ["yes", true],
  logo: ["", ""],
};

describe.each(ASKED_FIELDS.map((field) => [field.option.name, field] as const))("sale describe --%s", (name, field) => {
  const [text, value] = SAMPLES[field.kind];

  it("names its field alone, and changes no other, nor one that it doesn't know", async () => {
    const expected = storedDefinition();
    Object.assign(expected.presentation ?? {}, { [field.key]: value });
    expect(await described(`--${name}=${text}`)).toEqual({ paths: [pathOf(field)], definition: expected });
  });

  it("removes its field alone by an empty value", async () => {
    const expected = storedDefinition();
    const removed = { time: undefined, switch: false };
    Object.assign(expected.presentation ?? {}, {
      [field.key]: field.kind in removed ? removed[field.kind as keyof typeof removed] : "",
    });
    const { paths, definition } = await described(`--${name}=`);
    expect([paths, definition.presentation?.[field.key]]).toEqual([
      [pathOf(field)],
      expected.presentation?.[field.key],
    ]);
    expect(definition).toMatchObject({ name: "Harbour", presentation: { logo: "ab", $unknown: [LATER] } });
  });
});
