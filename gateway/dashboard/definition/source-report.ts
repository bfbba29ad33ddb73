import { fill, fillCounted } from "../../../common/platform/language/message.ts";
import { numberFormat } from "../../../common/platform/language/per-language.ts";
import { sourceFault } from "../../../common/sale/words/source-fault.ts";
import type { Sale } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { utcText } from "../../web/pages/utc-time.ts";
import { pageLanguage } from "../../web/texts/page-language.ts";
import { sentence } from "../base/form-errors.ts";
import { type SaidText, saidByService } from "../base/said-text.ts";
import { texts } from "../base/texts.ts";
import type { SourceCheck } from "./check-source.ts";

/** Returns the state of an opened sale's contract, as the services know it. */
export function sourceReport(sale: Sale): SourceCheck {
  const { sourceStatus, hasSnapshot } = sale;
  const reason = faultText(sale);
  if (reason !== undefined) return { state: "bad", text: [reason, standstillText(sale)] };
  if (sourceStatus === undefined) return { state: "unknown", text: [texts().check.unread] };
  if (!hasSnapshot) return { state: "unknown", text: [texts().check.firstRead] };
  const { warning } = sourceStatus;
  const text = [currentText(sale)];
  return warning === "" ? { state: "good", text } : { state: "bad", text: [...text, saidByService(sentence(warning))] };
}

/** Returns why the figures stand still; undefined where they don't. */
function faultText(sale: Sale): SaidText | undefined {
  const fault = sourceFault(sale);
  if (fault === undefined) return undefined;
  return "reported" in fault ? saidByService(sentence(fault.reported)) : texts().sourceFault[fault.words.publicName];
}

function standstillText({ feedState }: Sale): string {
  const since = feedState?.asOf?.lastSuccess;
  const { stands, standsSince } = texts().check;
  return since === undefined ? stands : fill(standsSince, { time: utcText(since) });
}

/** Says how current figures are that don't stand still. */
function currentText({ sourceStatus, feedState }: Sale): string {
  const blocks = sourceStatus?.behind ?? 0n;
  const words = texts().check;
  const language = pageLanguage();
  const number = numberFormat(language);
  if (feedState?.final) return words.shownForGood;
  const lag = blocks > 0n ? fill(words.behind, { blocks: number.format(blocks) }) : words.upToDate;
  const height = feedState?.asOf?.position?.height;
  const seconds = feedState?.behind?.seconds;
  if (height === undefined || seconds === undefined) return fill(words.shown, { lag });
  const ago = fillCounted(words.seconds, seconds, language, {});
  return fill(words.shownAsOf, { lag, height: number.format(height), seconds: ago });
}
