import { hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { EXPORT_TIMEOUT_MS } from "../../../common/sale/csv/commitment-export.ts";
import { ticksOf } from "../../../common/sale/record/ticks.ts";
import type { BookCommitment } from "../../../common/sale/settlement/settlement-book.ts";
import { MovedOn } from "../../../common/verify/shown/moved-on.ts";
import type {
  ExportHeader,
  ListedCommitment,
} from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import type { Sale } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { CliContext } from "../base/cli-context.ts";
import { RowProgress } from "../output/row-progress.ts";

/** The commitments of a sale that count, with the definition of the same revision. */
export interface ReadCommitments {
  readonly header: ExportHeader;
  readonly commitments: readonly BookCommitment[];
}

/**
 * Reads the commitments of a sale that count.
 *
 * @throws MovedOn if they aren't those of the sale's revision any more; what the call throws; Error for an answer that isn't whole
 */
export async function readCommitments(
  { uuid: saleUuid, generation, revision }: Sale,
  { commitments: service, errors, signal }: Pick<CliContext, "commitments" | "errors" | "signal">,
): Promise<ReadCommitments> {
  let header: ExportHeader | undefined;
  let progress: RowProgress | undefined;
  let read = 0n;
  const commitments: BookCommitment[] = [];
  try {
    for await (const { part } of service.exportCommitments({ saleUuid }, { signal, timeoutMs: EXPORT_TIMEOUT_MS })) {
      if (part.case === "header") {
        header = part.value;
        if (header.generation !== generation || header.revision !== revision) throw new MovedOn();
        progress = new RowProgress("read", header.commitmentCount, errors);
      }
      if (part.case !== "commitments") continue;
      for (const listed of part.value.commitments) if (listed.active) commitments.push(bookCommitment(listed));
      read += BigInt(part.value.commitments.length);
      await progress?.show(read);
    }
  } finally {
    await progress?.end();
  }
  if (header === undefined || header.commitmentCount !== read) {
    throw new Error(`the export has ${read} commitments instead of ${header?.commitmentCount}`);
  }
  return { header, commitments };
}

function bookCommitment({ record }: ListedCommitment): BookCommitment {
  if (record === undefined) throw new TypeError("the answer has a commitment without its record");
  return {
    commitmentId: hexOfBytes(record.commitmentId),
    entityId: hexOfBytes(record.entityId),
    priceTicks: ticksOf(record.priceTicks),
    amounts: record.amounts.map(({ wallet, token, amount }) => ({ wallet, token, amount: BigInt(amount) })),
  };
}
