import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { ServiceImpl } from "@connectrpc/connect";
import { DEFAULT_LANGUAGE } from "../../../common/platform/language/language.ts";
import { utcText } from "../../../common/platform/language/utc-text.ts";
import { parseEmailAddress } from "../../../common/platform/names/email-address.ts";
import type { AccountService } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import type { AuthContext } from "../base/context.ts";
import type { MailContent } from "../base/mailer.ts";
import { mailContent } from "../mail/mail-content.ts";
import { sendOnce } from "./send-once.ts";

/** Mails a reviewer how many entities wait, once for each notice. */
export function notifyReviewer(context: AuthContext): ServiceImpl<typeof AccountService>["notifyReviewer"] {
  return async ({ noticeUuid, email, waiting, waitingSince }) => {
    if (waitingSince === undefined) throw new TypeError("the request's rules let a notice without a time through");
    const to = parseEmailAddress(email);
    const content = reviewerNotice({ waiting, since: timestampDate(waitingSince) }, context.issuer);
    await sendOnce(context, noticeUuid.toLowerCase(), () => context.mailer.send({ ...content, to }));
    return {};
  };
}

/** Writes the mail to a reviewer about the queue. @param issuer the origin of `AUTH_URL`, whose page it leads to */
export function reviewerNotice(
  { waiting, since }: { readonly waiting: number; readonly since: Date },
  issuer: string,
): MailContent {
  const who = waiting === 1 ? "One identity check waits" : `${waiting} identity checks wait`;
  return mailContent("Identity checks wait for you", [
    `${who} for a reviewer, the longest since ${utcText(since, DEFAULT_LANGUAGE)}.`,
    { link: `${issuer}/dashboard/reviews` },
    "You get this mail as a reviewer: at once when somebody is the first to wait, and otherwise once a day while anybody waits.",
  ]);
}
