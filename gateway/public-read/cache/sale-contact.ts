import type { CommitmentCache } from "./commitment-cache.ts";
import { UnreadSale } from "./unread-sale.ts";

/** How long a page waits for a contact that it can do without. */
const WAIT_MS = 2_000;

/** Returns how people reach those who run a sale; empty where they say nothing of it, or it can't be read now or not soon. */
export async function saleContact(cache: Pick<CommitmentCache, "read">, saleUuid: string): Promise<string> {
  const summary = cache.read(saleUuid).then(
    ({ representation }) => representation.sale,
    (error: unknown) => (error instanceof UnreadSale ? error.summary : undefined),
  );
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), WAIT_MS);
  try {
    return (await Promise.race([summary, late.promise]))?.presentation?.contact ?? "";
  } finally {
    clearTimeout(timer);
  }
}
