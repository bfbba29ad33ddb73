import type { SaleDefinition } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { type DefinitionLine, offeredText } from "./definition-lines.ts";

/** Returns what people read about a sale as lines, those that are entered. Times are UTC. */
export function presentationLines({
  presentation,
  offeredTokenDecimals,
}: Partial<Pick<SaleDefinition, "presentation" | "offeredTokenDecimals">>): readonly DefinitionLine[] {
  const {
    offeredTokenSymbol = "",
    opensAtSeconds,
    closesAtSeconds,
    website = "",
    description = "",
    logo = "",
    totalSupply = "",
  } = presentation ?? {};
  const lines = [
    { label: "Symbol of the offered token", text: offeredTokenSymbol },
    { label: "Total supply", text: totalSupply === "" ? "" : offeredText({ offeredTokenDecimals }, totalSupply) },
    { label: "Opens", text: timeText(opensAtSeconds) },
    { label: "Closes", text: timeText(closesAtSeconds) },
    { label: "Website", text: website },
    // The beginning of its hash distinguishes it from another one.
    { label: "Logo", text: logo.slice(0, 8) },
    { label: "Description", text: description },
  ];
  return lines.filter(({ text }) => text !== "");
}

/** Returns a time such as `2026-12-04 12:00:00 UTC`; empty for none. */
function timeText(seconds: bigint | undefined): string {
  if (seconds === undefined) return "";
  // Up to the year 9999 the milliseconds are below 2^53.
  return `${new Date(Number(seconds) * 1_000).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
