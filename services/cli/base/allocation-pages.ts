import type { ListAllocationsResponse } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { PAGE_SIZE } from "./all-pages.ts";
import type { CliContext } from "./cli-context.ts";
import { CommandFailure } from "./cli-error.ts";

/**
 * Yields the allocations of a sale in pages, all of one revision; at least one page.
 *
 * @throws CommandFailure if they aren't known, or if the sale changes meanwhile; what the calls throw
 */
export async function* allocationPages(
  saleUuid: string,
  { commitments, signal }: Pick<CliContext, "commitments" | "signal">,
): AsyncGenerator<ListAllocationsResponse, void> {
  let first: ListAllocationsResponse | undefined;
  for (let pageToken = ""; ; ) {
    const page = await commitments.listAllocations({ saleUuid, pageSize: PAGE_SIZE, pageToken }, { signal });
    if (page.saleAllocations === undefined) throw new CommandFailure("the sale's allocations aren't known (yet)");
    first ??= page;
    if (page.generation !== first.generation || page.revision !== first.revision) {
      throw new CommandFailure("the sale changed meanwhile: run the command again");
    }
    yield page;
    pageToken = page.nextPageToken;
    if (pageToken === "") return;
  }
}
