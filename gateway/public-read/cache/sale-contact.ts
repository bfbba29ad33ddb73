import type { CommitmentCache } from "./commitment-cache.ts";
import { UnreadSale } from "./unread-sale.ts";

/** Returns how people reach those who run a sale; empty where they say nothing of it, or it can't be read now. */
export async function saleContact(cache: Pick<CommitmentCache, "read">, saleUuid: string): Promise<string> {
  const summary = await cache.read(saleUuid).then(
    ({ representation }) => representation.sale,
    (error: unknown) => (error instanceof UnreadSale ? error.summary : undefined),
  );
  return summary?.presentation?.contact ?? "";
}
