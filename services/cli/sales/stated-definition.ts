import { type JsonObject, toJson } from "@bufbuild/protobuf";
import { SaleDefinitionSchema } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { CliContext } from "../base/cli-context.ts";
import { CommandFailure } from "../base/cli-error.ts";
import { isJsonObject } from "../input/json-file.ts";
import { terminalText } from "../output/terminal-text.ts";

/** The fields that say the price of a sale. */
const PRICE_FIELDS = ["priceTick", "fixed", "auction"];

/**
 * Returns a definition in JSON form with what its contract states, where it names a contract and no price. Other fields of the definition
 * stay. A contract that states nothing adds nothing.
 *
 * @throws CommandFailure if the contract can't be read; what the call throws
 */
export async function withStatedTerms(
  definition: JsonObject,
  { indexer, signal }: Pick<CliContext, "indexer" | "signal">,
): Promise<JsonObject> {
  const { evm: source } = definition;
  if (!isJsonObject(source) || PRICE_FIELDS.some((field) => field in definition)) return definition;
  const { chain, contract: address } = source;
  if (typeof chain !== "string" || typeof address !== "string") return definition;
  const { readable, problems, proposedDefinition } = await indexer.checkSource({ chain, address }, { signal });
  if (!readable) throw new CommandFailure(["the contract isn't readable", ...problems.map(terminalText)].join("\n"));
  if (proposedDefinition === undefined) return definition;
  const stated = toJson(SaleDefinitionSchema, proposedDefinition);
  if (!isJsonObject(stated)) throw new TypeError("a message isn't a JSON object");
  const [presentation, given] = [stated["presentation"], definition["presentation"]];
  return {
    ...stated,
    ...definition,
    ...(isJsonObject(presentation) && { presentation: { ...presentation, ...(isJsonObject(given) && given) } }),
    evm: { ...source, ...(isJsonObject(stated["evm"]) && { family: stated["evm"]["family"] ?? 0 }) },
  };
}
