import { csvRecord } from "../../../common/sale/csv/csv-record.ts";
import { BYTE_ORDER_MARK } from "../../../common/sale/csv/people-csv.ts";
import { protectedField } from "../../../common/sale/csv/spreadsheet-field.ts";
import type { ListWalletAllocationsResponse } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { inLanguage } from "../view/in-language.ts";
import type { SaleView } from "../view/sale-view.ts";
import { allocationRows } from "./allocation-row.ts";

/** The columns of the file, which are the same in every language. */
const COLUMNS = ["wallet", "committed", "accepted", "refunded", "currency", "tokens", "token"];

/** Yields the file of all allocations: amounts are exact, in whole tokens, and empty where they aren't known. */
export async function* allocationsCsv(
  parts: AsyncIterable<ListWalletAllocationsResponse>,
  sale: Pick<SaleView, "units" | "facts">,
): AsyncGenerator<string, void> {
  yield BYTE_ORDER_MARK + csvRecord(COLUMNS);
  for await (const part of parts) yield textOf(part, sale);
}

function textOf(part: ListWalletAllocationsResponse, sale: Pick<SaleView, "units" | "facts">): string {
  const { symbol = "", dollars } = sale.units;
  const { Symbol: token = "", Decimals } = sale.facts.OfferedToken;
  const [currency, offered] = [symbol === "" && dollars ? "USD" : symbol, token].map(protectedField);
  // Exact numbers are written alike in every language.
  const rows = inLanguage("en", () => allocationRows(part, sale));
  const records = rows.map(({ wallet, figures }) => {
    const { committed, accepted, refunded, tokens } = figures ?? {};
    // Without the token's decimals, the figure is of smallest units.
    const bought = Decimals === undefined ? undefined : tokens;
    const texts = [committed, accepted, refunded].map((figure) => figure?.exact);
    return csvRecord([wallet, ...texts, currency, bought?.exact, offered].map((field) => field ?? ""));
  });
  return records.join("");
}
