import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { withMaskedFields } from "../../../common/sale/definition/field-mask.ts";
import { ASKED_FIELDS, type AskedField, pathOf } from "../../../common/sale/definition/sale-fields.ts";
import {
  type Sale,
  type SaleDefinition,
  SaleDefinitionSchema,
  SalePresentationSchema,
} from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { UpdateSaleRequestSchema } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { UsageError } from "../base/cli-error.ts";
import type { Command, CommandInput } from "../base/command.ts";
import { required } from "../base/required.ts";
import { readLogoFile } from "../input/read-logo-file.ts";
import { write } from "../output/write.ts";
import { positive, wholeUnits } from "./price-flags.ts";
import { utcSeconds } from "./utc-seconds.ts";

const TEXT_OPTIONS = ASKED_FIELDS.map(
  ({ option: { name, value, help } }) => [name, { type: "string" as const, value, help }] as const,
);
const TEXT_FLAGS = ASKED_FIELDS.map((field) => [pathOf(field), [field.option.name]] as const);

/** Only what the options name changes. */
export const saleDescribe: Command = {
  name: "sale describe",
  positionals: ["UUID"],
  summary: "change what people read about a sale: description, website, contact, symbol, times, supply and logo",
  details: "What no option names stays as it is. An empty value, as in --website '', removes it.",
  options: {
    ...Object.fromEntries(TEXT_OPTIONS),
    logo: { type: "string", value: "FILE", help: "PNG, JPEG or WebP, square, at most 200 KB" },
  },
  flags: { ...Object.fromEntries(TEXT_FLAGS), image: ["logo"] },
  async run(input, { sales, output, signal }) {
    const [saleUuid = ""] = input.positionals;
    const named = ASKED_FIELDS.filter(({ option }) => input.text(option.name) !== undefined);
    const image = await imageOf(input);
    if (named.length === 0 && image === undefined) throw new UsageError("expected an option that says what changes");
    const sale = required(await sales.getSale({ saleUuid }, { signal }), "sale");
    // The logo first: the version counts it, too.
    const current =
      image === undefined ? sale : required(await sales.setSaleLogo({ saleUuid, image }, { signal }), "sale");
    if (named.length > 0) await sales.updateSale(updateOf(current, named, input), { signal });
    await write(output, `${saleUuid} is changed\n`);
  },
};

/** Returns the new logo, empty to remove it; undefined where it stays. */
async function imageOf(input: CommandInput): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const path = input.text("logo");
  if (path === undefined) return undefined;
  return path === "" ? new Uint8Array() : readLogoFile(path);
}

function updateOf(
  { uuid: saleUuid, definition: before, definitionVersion }: Sale,
  named: readonly AskedField[],
  input: CommandInput,
): MessageInitShape<typeof UpdateSaleRequestSchema> {
  if (before === undefined) throw new TypeError("the answer has no definition");
  const values = named.map((field) => [field.key, optionValue(field, before, input)] as const);
  const given = Object.fromEntries(values.filter(([, value]) => value !== ""));
  const sent = create(SaleDefinitionSchema, { presentation: create(SalePresentationSchema, given) });
  const paths = named.map(pathOf);
  // Whole, since a service of the version before knows no mask.
  const definition = withMaskedFields(before, sent, paths);
  return { saleUuid, definition, expectedDefinitionVersion: definitionVersion, updateMask: { paths } };
}

function switchValue(name: string, text: string): boolean {
  if (text === "yes" || text === "no") return text === "yes";
  throw new UsageError(`--${name} must be yes or no`);
}

/** Returns the value of a field's option, empty to remove it. */
function optionValue({ kind, option }: AskedField, { offeredTokenDecimals }: SaleDefinition, input: CommandInput) {
  const text = input.text(option.name) ?? "";
  if (text === "") return "";
  if (kind === "switch") return switchValue(option.name, text);
  if (kind === "time") return utcSeconds(option.name, text);
  if (kind !== "amount") return text;
  if (offeredTokenDecimals !== undefined) {
    return wholeUnits(option.name, positive(input, option.name), offeredTokenDecimals);
  }
  throw new UsageError(`--${option.name} can't be converted: the sale has no decimals of the offered token`);
}
