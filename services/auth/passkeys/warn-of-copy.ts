import type { Peer } from "../../../proto/gen/tidemark/auth/v1/parameter_pb.ts";
import { findAccount } from "../accounts/accounts-store.ts";
import type { AuthContext } from "../base/context.ts";
import { isWithinLimit } from "../base/within-limit.ts";
import { browserOf } from "../mail/browser-name.ts";
import { notify } from "../mail/notify.ts";
import type { Passkey } from "./passkey.ts";
import { copySuspectedNotice } from "./passkey-notice.ts";

/** Mails the owner of a passkey that there may be a copy of it, within the limits of the rate. */
export async function warnOfCopy(
  context: AuthContext,
  { accountUuid, name }: Pick<Passkey, "accountUuid" | "name">,
  peer: Peer | undefined,
): Promise<void> {
  const { database } = context;
  // Beyond it the owner has mails enough about it; the refusal itself isn't limited.
  if (!(await isWithinLimit(context, "copy_warning_account", accountUuid))) return;
  const account = await database.read((query) => findAccount(query, accountUuid));
  if (account !== undefined) void notify(context, [account.email], copySuspectedNotice(name, browserOf(peer)));
}
