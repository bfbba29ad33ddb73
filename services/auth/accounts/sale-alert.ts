import { timestampDate } from "@bufbuild/protobuf/wkt";
import { alertStopUrl } from "../../../common/internal-api/alert-stop.ts";
import { fill } from "../../../common/platform/language/message.ts";
import { utcText } from "../../../common/platform/language/utc-text.ts";
import { SaleAlert, type SaleAlertNotice } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import type { Mail } from "../base/mailer.ts";
import { mailContent } from "../mail/mail-content.ts";
import { safeName } from "../mail/safe-text.ts";
import type { MailTexts } from "../mail/texts/en.ts";
import { MAIL_TEXTS, mailLanguage } from "../mail/texts/mail-texts.ts";

type AlertName = Exclude<keyof MailTexts["saleAlert"], "look" | "asked">;

/** Each alert with the name of its texts. */
const ALERTS: ReadonlyMap<SaleAlert, AlertName> = new Map([
  [SaleAlert.OUT, "out"],
  [SaleAlert.AT_MARGIN, "atMargin"],
  [SaleAlert.CLOSES_IN_DAY, "closesInDay"],
  [SaleAlert.CLOSES_IN_HOUR, "closesInHour"],
  [SaleAlert.SETTLED, "settled"],
]);

/**
 * Writes the mail about a sale to somebody who asked for it, which mail programs can end with one click (RFC 8058).
 *
 * @param issuer the origin of `AUTH_URL`, whose account page it leads to
 */
export function saleAlertMail(
  { alert, saleName, closesAt, stopToken, language: tag }: SaleAlertNotice,
  issuer: string,
): Omit<Mail, "to"> {
  const name = ALERTS.get(alert);
  if (name === undefined) throw new TypeError("the request's rules let an alert without a reason through");
  const language = mailLanguage(tag);
  const { saleAlert } = MAIL_TEXTS[language];
  const { subject, text } = saleAlert[name];
  const time = closesAt === undefined ? "" : utcText(timestampDate(closesAt), language);
  const said = fill<"sale" | "time">(text, { sale: safeName(saleName), time });
  const stopUrl = alertStopUrl(issuer, stopToken);
  const blocks = [said, saleAlert.look, { link: `${issuer}/account` }, saleAlert.asked, { link: stopUrl }];
  return { ...mailContent(subject, blocks, language), unsubscribeUrl: stopUrl };
}
