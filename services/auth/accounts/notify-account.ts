import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { ServiceImpl } from "@connectrpc/connect";
import type { AccountService, NotifyAccountRequest } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import type { AuthContext } from "../base/context.ts";
import { findAccount } from "./accounts-store.ts";
import { type EntityNotice, entityNotice } from "./entity-notice.ts";
import { insertSentNotice, isNoticeSent } from "./sent-notices-store.ts";

/**
 * Mails a notice once, unless the process ends between the mail and the row that remembers it: then a repetition sends it
 * again, which is better than never.
 */
export function notifyAccount(context: AuthContext): ServiceImpl<typeof AccountService>["notifyAccount"] {
  const { database, issuer } = context;
  return async (request) => {
    const notice = noticeOf(request);
    const noticeUuid = request.noticeUuid.toLowerCase();
    // Two repetitions at once would both find that it wasn't sent.
    await database.runExclusive(`notice ${noticeUuid}`, async () => {
      if (await database.read((query) => isNoticeSent(query, noticeUuid))) return;
      const account = await database.read((query) => findAccount(query, request.accountUuid));
      if (account === undefined) return;
      await context.mailer.send({ ...entityNotice(notice, issuer), to: account.email });
      await remember(context, noticeUuid);
    });
    return {};
  };
}

async function remember({ database, clock }: AuthContext, noticeUuid: string): Promise<void> {
  try {
    await database.write((transaction) => insertSentNotice(transaction, noticeUuid, clock()));
  } catch (error) {
    // Another process has sent it meanwhile.
    if (!database.dialect.isDuplicateKey(error)) throw error;
  }
}

function noticeOf({ notice }: NotifyAccountRequest): EntityNotice {
  switch (notice.case) {
    case "setupDecided": {
      const { entityLabel: label, approved, reason, final } = notice.value;
      return { event: "setup_decided", label, approved, reason, final };
    }
    case "approvalExpiry": {
      const { entityLabel: label, expiresAt, expired } = notice.value;
      if (expiresAt === undefined) break;
      return { event: "approval_expiry", label, expiresAt: timestampDate(expiresAt), expired };
    }
  }
  throw new TypeError("the request's rules let a notice without content through");
}
