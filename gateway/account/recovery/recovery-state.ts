import type { Language } from "../../../common/platform/language/language.ts";
import type { Recovery } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { fillHtml } from "../../web/pages/fill-html.ts";
import type { Html } from "../../web/pages/layout.ts";
import { utcTime } from "../../web/pages/utc-time.ts";
import { TEXTS } from "../../web/texts/texts.ts";

/** Returns the sentence about a recovery: who began it, and from when until when it can be completed. */
export function recoveryState({ ready, readyAt, expiresAt, byOperator }: Recovery, language: Language): Html {
  const { recovery } = TEXTS[language];
  if (ready) return fillHtml(recovery.readyText, { end: utcTime(expiresAt, language) });
  const text = byOperator ? recovery.waitingForOperator : recovery.waitingText;
  return fillHtml(text, { ready: utcTime(readyAt, language) });
}
