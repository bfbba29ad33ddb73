import type { Sale, SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { CliContext } from "../base/cli-context.ts";

const PAGE_SIZE = 500;

/** All sales with a status, read page by page. `UNSPECIFIED` means any status. */
export async function* allSales({ sales, signal }: CliContext, status: SaleStatus): AsyncGenerator<Sale> {
  let pageToken = "";
  do {
    const page = await sales.listSales({ pageSize: PAGE_SIZE, pageToken, status }, { signal });
    yield* page.sales;
    pageToken = page.nextPageToken;
  } while (pageToken !== "");
}
