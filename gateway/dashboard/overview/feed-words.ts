import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { fill, fillCounted } from "../../../common/platform/language/message.ts";
import { numberFormat } from "../../../common/platform/language/per-language.ts";
import { publicStatus } from "../../../common/sale/state/status.ts";
import { sourceFaultWords } from "../../../common/sale/words/source-fault.ts";
import type { Sale } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { pageLanguage } from "../../web/texts/page-language.ts";
import { texts } from "../base/texts.ts";

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
  if (definition?.source.case === undefined) return { state: "good", text: texts().feed.fed };
  const fault = sourceFaultWords(feedState?.fault);
  if (fault !== undefined) {
    return { state: "bad", text: texts().feed[fault.publicName], since: feedState?.asOf?.lastSuccess };
  }
  if (sourceStatus === undefined) return { state: "unknown", text: texts().feed.unread };
  if (feedState?.final) return { state: "good", text: texts().feed.final };
  const sweep = sourceStatus.sweep;
  if (!hasSnapshot || sweep?.running) return { state: hasSnapshot ? "good" : "unknown", text: catchingUp(sweep) };
  return { state: "good", text: following(sale) };
}

function catchingUp(sweep: { readonly rowsDone: bigint; readonly rowsTotal: bigint } | undefined): string {
  const words = texts().feed;
  if (sweep === undefined || sweep.rowsTotal === 0n) return words.catchingUp;
  const { format } = numberFormat(pageLanguage());
  return fill(words.catchingUpOf, { done: format(sweep.rowsDone), total: format(sweep.rowsTotal) });
}

function following({ feedState }: Sale): string {
  const height = feedState?.asOf?.position?.height;
  const seconds = feedState?.behind?.seconds;
  const words = texts().feed;
  if (height === undefined || seconds === undefined) return words.follows;
  const language = pageLanguage();
  const ago = fillCounted(texts().check.seconds, seconds, language, {});
  return fill(words.followsAt, { height: numberFormat(language).format(height), seconds: ago });
}
