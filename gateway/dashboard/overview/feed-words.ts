import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { publicStatus } from "../../../common/sale/state/status.ts";
import { sourceFaultWords } from "../../../common/sale/words/source-fault.ts";
import type { Sale } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";

/** Words that say how current a sale's figures are. */
export interface FeedWords {
  /** `good` follows; `bad` stands still; `unknown` has no figures yet. */
  readonly state: "good" | "bad" | "unknown";
  readonly text: string;
  /** Since when the figures stand still. */
  readonly since?: Timestamp | undefined;
}

/** Returns how current a sale's figures are; undefined for one that isn't public. */
export function feedWords(sale: Sale): FeedWords | undefined {
  const { status, definition, sourceStatus, feedState, hasSnapshot } = sale;
  if (publicStatus(status) === undefined) return undefined;
  if (definition?.source.case === undefined) return { state: "good", text: "Commitments come from your service" };
  const fault = sourceFaultWords(feedState?.fault);
  if (fault !== undefined) {
    return { state: "bad", text: `Stands still: ${fault.clause}`, since: feedState?.asOf?.lastSuccess };
  }
  if (sourceStatus === undefined) return { state: "unknown", text: "The contract hasn’t been read yet" };
  if (feedState?.final) return { state: "good", text: "Settled for good" };
  const sweep = sourceStatus.sweep;
  if (!hasSnapshot || sweep?.running) return { state: hasSnapshot ? "good" : "unknown", text: catchingUp(sweep) };
  return { state: "good", text: following(sale) };
}

function catchingUp(sweep: { readonly rowsDone: bigint; readonly rowsTotal: bigint } | undefined): string {
  if (sweep === undefined || sweep.rowsTotal === 0n) return "Catching up with the contract";
  const [done, total] = [sweep.rowsDone.toLocaleString("en"), sweep.rowsTotal.toLocaleString("en")];
  return `Catching up: ${done} of ${total} commitments read`;
}

function following({ feedState }: Sale): string {
  const height = feedState?.asOf?.position?.height;
  const seconds = feedState?.behind?.seconds;
  if (height === undefined || seconds === undefined) return "Follows the contract";
  const ago = seconds === 1n ? "1 second ago" : `${seconds.toLocaleString("en")} seconds ago`;
  return `Follows the contract: block ${height.toLocaleString("en")}, confirmed ${ago}`;
}
