import type { MailContent } from "../base/mailer.ts";
import { mailContent } from "../mail/mail-content.ts";
import { quotedName } from "../mail/plain-text.ts";
import type { Role } from "./role.ts";

/** A person's membership in a sale, made by somebody else. */
export interface Invitation {
  readonly saleUuid: string;
  readonly saleName: string;
  readonly role: Role;
  /** The address that was invited, with which the person signs in. */
  readonly email: string;
  /** The e-mail address of the person who invites; absent for the operator. */
  readonly by?: string | undefined;
  /** Whether the sale requires a passkey of the person. */
  readonly needsPasskey?: boolean;
  /** `AUTH_URL`. */
  readonly issuer: string;
}

const MAY: Readonly<Record<Role, string>> = {
  viewer: "a viewer, who sees everything and changes nothing",
  editor: "an editor, who changes settings and applications",
  owner: "an owner, who may do everything",
};

const PASSKEY_NEEDED =
  "The sale requires a passkey of you: add one at your account, then sign in with it. A passkey is kept by your phone, computer or security key.";

/** Writes the mail to somebody who was made a member of a sale. */
export function invitationMail({
  saleUuid,
  saleName,
  role,
  email,
  by,
  needsPasskey = false,
  issuer,
}: Invitation): MailContent {
  const inviter = by === undefined ? "The operator of this service" : `The owner with the e-mail address ${by}`;
  const named = saleName === "" ? "a sale" : `the sale that its owners call ${quotedName(saleName)}`;
  return mailContent("You were invited to a sale", [
    `${inviter} has invited you to ${named}. There you are ${MAY[role]}.`,
    "This is the sale's page:",
    { link: `${issuer}/dashboard/sales/${saleUuid}` },
    `Sign in there as ${email}: you get a code by e-mail, and there is no password.`,
    ...(needsPasskey ? [PASSKEY_NEEDED] : []),
    "If you didn't expect this, ignore this mail: nothing happens unless you sign in.",
  ]);
}
