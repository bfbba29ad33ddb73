import { create } from "@bufbuild/protobuf";
import {
  type Sale,
  type SaleDefinition,
  type SalePresentation,
  SalePresentationSchema,
} from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { UsageError } from "../base/cli-error.ts";
import type { Command, CommandInput } from "../base/command.ts";
import { requiredSale } from "../base/required-sale.ts";
import { positive, wholeUnits } from "../input/price-flags.ts";
import { readLogoFile } from "../input/read-logo-file.ts";
import { utcSeconds } from "../input/utc-seconds.ts";
import { write } from "../output/write.ts";

const TEXT_OPTIONS = ["description", "website", "symbol", "opens", "closes", "total-supply"] as const;

/** Only what the options name changes. */
export const saleDescribe: Command = {
  name: "sale describe",
  positionals: ["UUID"],
  summary: "change what people read about a sale: description, website, symbol, times, supply and logo",
  details: "What no option names stays as it is. An empty value, as in --website '', removes it.",
  options: {
    description: { type: "string", value: "TEXT", help: "plain text with line breaks, at most 2,000 characters" },
    website: { type: "string", value: "URL", help: "the founder's own site, https" },
    symbol: { type: "string", value: "TEXT", help: "the symbol of the token that is sold" },
    opens: { type: "string", value: "TIME", help: "when the sale is to open, such as 2026-01-31T12:00:00Z" },
    closes: { type: "string", value: "TIME", help: "when it is to close" },
    "total-supply": {
      type: "string",
      value: "AMOUNT",
      help: "how many tokens there are or will be, such as 10,000,000",
    },
    logo: { type: "string", value: "FILE", help: "PNG, JPEG or WebP, square, at most 200 KB" },
  },
  flags: {
    "presentation.description": ["description"],
    "presentation.website": ["website"],
    "presentation.offered_token_symbol": ["symbol"],
    "presentation.opens_at_seconds": ["opens"],
    "presentation.closes_at_seconds": ["closes"],
    "presentation.total_supply": ["total-supply"],
    image: ["logo"],
  },
  async run(input, { sales, output, signal }) {
    const [saleUuid = ""] = input.positionals;
    const hasTexts = TEXT_OPTIONS.some((option) => input.text(option) !== undefined);
    const image = await imageOf(input);
    if (!hasTexts && image === undefined) throw new UsageError("expected an option that says what changes");
    const sale = requiredSale(await sales.getSale({ saleUuid }, { signal }));
    // The logo first: the version counts it, too.
    const current = image === undefined ? sale : requiredSale(await sales.setSaleLogo({ saleUuid, image }, { signal }));
    if (hasTexts) await sales.updateSale(updateOf(current, input), { signal });
    await write(output, `${saleUuid} is changed\n`);
  },
};

/** Returns the new logo, empty to remove it; undefined where it stays. */
async function imageOf(input: CommandInput): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const path = input.text("logo");
  if (path === undefined) return undefined;
  return path === "" ? new Uint8Array() : readLogoFile(path);
}

function updateOf({ uuid: saleUuid, definition, definitionVersion }: Sale, input: CommandInput) {
  if (definition === undefined) throw new TypeError("the answer has no definition");
  const presentation = presentationOf(definition, input);
  return { saleUuid, definition: { ...definition, presentation }, expectedDefinitionVersion: definitionVersion };
}

function presentationOf(definition: SaleDefinition, input: CommandInput): SalePresentation {
  const { presentation: before } = definition;
  const { opensAtSeconds, closesAtSeconds } = before ?? {};
  const time = (option: string, kept: bigint | undefined) => {
    const text = input.text(option);
    return text === undefined ? kept : text === "" ? undefined : utcSeconds(option, text);
  };
  const [opens, closes] = [time("opens", opensAtSeconds), time("closes", closesAtSeconds)];
  return create(SalePresentationSchema, {
    description: input.text("description") ?? before?.description ?? "",
    website: input.text("website") ?? before?.website ?? "",
    offeredTokenSymbol: input.text("symbol") ?? before?.offeredTokenSymbol ?? "",
    totalSupply: totalSupplyOf(definition, input) ?? before?.totalSupply ?? "",
    ...(opens !== undefined && { opensAtSeconds: opens }),
    ...(closes !== undefined && { closesAtSeconds: closes }),
  });
}

/** Returns the smallest units of `--total-supply`, empty to remove it; undefined where it stays. */
function totalSupplyOf({ offeredTokenDecimals }: SaleDefinition, input: CommandInput): string | undefined {
  const text = input.text("total-supply");
  if (text === undefined || text === "") return text;
  if (offeredTokenDecimals !== undefined) {
    return wholeUnits("total-supply", positive(input, "total-supply"), offeredTokenDecimals);
  }
  throw new UsageError("--total-supply can't be converted: the sale has no decimals of the offered token");
}
