import type { SourceCommitment } from "../../../common/contracts/source-commitment.ts";
import type { StoredDigest, StoredSale } from "../../../common/contracts/source-reader.ts";
import { hexOfBytes, messageBytes } from "../../../common/platform/encoding/hex.ts";
import { recordOf } from "../../../common/sale/record/commitment-message.ts";
import type { CommitmentRecord } from "../../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import type { CommitmentsClient } from "./commitments-client.ts";
import type { SourceSale } from "./source-sale.ts";

/** A sale as the commitments service stores it, read on demand. */
export function storedSale({ commitments }: CommitmentsClient, sale: SourceSale, signal: AbortSignal): StoredSale {
  const { uuid: saleUuid } = sale;
  // Without a snapshot, only an open change set can have stored rows.
  const isEmpty = !sale.hasSnapshot && !sale.changeSetOpen;
  return {
    ...(sale.position === undefined ? {} : { position: sale.position }),
    hasSnapshot: sale.hasSnapshot && !sale.changeSetOpen,
    paymentTokens: sale.paymentTokens,
    ...(sale.contractVersion === undefined ? {} : { contractVersion: sale.contractVersion }),
    cancelledKeepsAmounts: sale.cancelledKeepsAmounts,
    settled: sale.settled,
    digests: (from, to) => readDigests(commitments, saleUuid, from, isEmpty ? from : to, signal),
    async records(commitmentIds) {
      if (commitmentIds.length === 0) return [];
      const request = { saleUuid, commitmentIds: commitmentIds.map(messageBytes) };
      const { records } = await commitments.getCommitmentRecords(request, { signal });
      return records.map(commitmentOf);
    },
  };
}

async function* readDigests(
  commitments: CommitmentsClient["commitments"],
  saleUuid: string,
  from: bigint,
  to: bigint,
  signal: AbortSignal,
): AsyncGenerator<StoredDigest> {
  for (let next: bigint | undefined = from; next !== undefined && next < to; ) {
    const page = await commitments.listDigests({ saleUuid, fromIndex: next, toIndex: to }, { signal });
    for (const { sourceIndex, commitmentId, digest } of page.digests) {
      yield { sourceIndex, commitmentId: hexOfBytes(commitmentId), digest: hexOfBytes(digest) };
    }
    next = page.nextIndex;
  }
}

/** A stored commitment. Those that were read from a contract always have an index. */
export function commitmentOf(record: CommitmentRecord): SourceCommitment {
  return { ...recordOf(record), sourceIndex: record.sourceIndex ?? 0n };
}
