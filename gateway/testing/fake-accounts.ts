import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, type ServiceImpl } from "@connectrpc/connect";
import {
  type AccountEventSchema,
  type AccountService,
  AuthenticationMethod,
  CodeResult,
  PasskeyResult,
} from "../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import type { RequestingClient } from "../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { FakePasskeys, RIGHT_CREDENTIAL } from "./fake-passkeys.ts";
import { FakeRecovery, PASS } from "./fake-recovery.ts";

export const ACCOUNT = "55555555-5555-4555-8555-555555555555";
/** The one-time code that every sign-in sends. */
export const RIGHT_CODE = "BCDFGHJK";

/** The text by which a browser is known after every sign-in. */
export const KNOWN_BROWSER = "known-by.this_text";

interface FakeSession {
  readonly uuid: string;
  readonly userAgent: string;
  readonly authenticatedAtMs: number;
  readonly authenticatedBy: AuthenticationMethod;
}

const CREATED_AT = timestampFromMs(Date.UTC(2026, 8, 1));
const HOUR_MS = 3_600_000;

/** A single account in memory: whoever enters `RIGHT_CODE` signs in to it. */
export class FakeAccounts {
  /** Sessions by their tokens. */
  readonly sessions = new Map<string, FakeSession>();
  email = "alice@example.org";
  triesLeft = 5;
  hasConsent = true;
  /** The record of security events. */
  events: MessageInitShape<typeof AccountEventSchema>[] = [];
  /** Reason why the account can't be deleted. */
  deletionObstacle: string | undefined;
  /** An address that another account has. */
  takenEmail = "taken@example.org";
  readonly #client: RequestingClient;
  #sessionsMade = 0;
  readonly #addresses = new Map<string, string>();

  constructor(client: RequestingClient) {
    this.#client = client;
  }

  readonly passkeys = new FakePasskeys();
  readonly recovery = new FakeRecovery({
    passkeys: this.passkeys,
    emailOf: (token) => this.#emailOf(token),
    restart: () => this.#restart(),
  });

  readonly methods: Partial<ServiceImpl<typeof AccountService>> = {
    ...this.passkeys.methods,
    ...this.recovery.methods,
    completePasskeySignIn: ({ credentialJson, previousSessionToken, peer }) => {
      if (credentialJson !== RIGHT_CREDENTIAL) return { result: this.passkeys.refusal };
      this.sessions.delete(previousSessionToken);
      const authenticatedBy = AuthenticationMethod.PASSKEY;
      const sessionToken = this.addSession({ userAgent: peer?.userAgent ?? "", authenticatedBy });
      return {
        result: PasskeyResult.ACCEPTED,
        sessionToken,
        knownBrowser: KNOWN_BROWSER,
        ...this.#found(sessionToken),
      };
    },
    beginSignIn: ({ email }) => this.#sendCode(email),
    completeSignIn: ({ code, signInHandle, previousSessionToken, peer }) => {
      const refusal = this.#refusal(code, signInHandle);
      if (refusal !== undefined) return refusal;
      if (this.recovery.passkeyRequired) return { result: CodeResult.PASSKEY_REQUIRED, recoveryPass: PASS };
      this.sessions.delete(previousSessionToken);
      this.email = this.#addresses.get(signInHandle) ?? "";
      const sessionToken = this.addSession({ userAgent: peer?.userAgent ?? "" });
      return {
        result: CodeResult.CORRECT,
        sessionToken,
        knownBrowser: KNOWN_BROWSER,
        hasPasskey: this.passkeys.passkeys.length > 0,
        ...this.#found(sessionToken),
      };
    },
    getSession: ({ sessionToken }) => this.#found(sessionToken),
    signOut: ({ sessionToken, endTokens }) => ({ tokensEnded: this.sessions.delete(sessionToken) && endTokens }),
    listSessions: ({ sessionToken }) => {
      this.#found(sessionToken);
      return { sessions: [...this.sessions.keys()].map((token) => this.#session(token, token === sessionToken)) };
    },
    endSession: ({ sessionUuid }) => {
      for (const [token, { uuid }] of this.sessions) if (uuid === sessionUuid) this.sessions.delete(token);
      return {};
    },
    endOtherSessions: ({ sessionToken }) => {
      this.#found(sessionToken);
      const others = [...this.sessions.keys()].filter((token) => token !== sessionToken);
      for (const token of others) this.sessions.delete(token);
      return { ended: others.length };
    },
    listConsents: () => ({ consents: this.hasConsent ? [this.#consent()] : [] }),
    listAccountEvents: () => ({ events: this.events }),
    withdrawConsent: () => {
      if (!this.hasConsent) throw new ConnectError("no such application", Code.NotFound);
      this.hasConsent = false;
      return {};
    },
    beginEmailChange: ({ email }) => this.#sendCode(email),
    completeEmailChange: ({ code, signInHandle }) => {
      const refusal = this.#refusal(code, signInHandle);
      if (refusal !== undefined) return refusal;
      const email = this.#addresses.get(signInHandle) ?? "";
      if (email === this.takenEmail) throw new ConnectError("taken", Code.AlreadyExists);
      this.email = email;
      return { result: CodeResult.CORRECT, account: { uuid: ACCOUNT, email }, knownBrowser: KNOWN_BROWSER };
    },
    issueActorToken: ({ sessionToken, audience }) => {
      this.#found(sessionToken);
      return { actorToken: `actor for ${audience}` };
    },
    deleteAccount: () => {
      const obstacle = this.deletionObstacle;
      if (obstacle !== undefined) throw new ConnectError(obstacle, Code.FailedPrecondition);
      this.sessions.clear();
      return {};
    },
  };

  /** Starts another session of the account. @returns its token */
  addSession({
    userAgent = "",
    ageMs = 0,
    authenticatedBy = AuthenticationMethod.CODE,
  }: {
    readonly userAgent?: string;
    readonly ageMs?: number;
    readonly authenticatedBy?: AuthenticationMethod;
  }): string {
    const number = String(++this.#sessionsMade);
    const token = number.padStart(43, "s");
    const uuid = `66666666-6666-4666-8666-${number.padStart(12, "6")}`;
    this.sessions.set(token, { uuid, userAgent, authenticatedAtMs: Date.now() - ageMs, authenticatedBy });
    return token;
  }

  /** Makes all sessions those of sign-ins with a passkey, or with a code. */
  signedInBy(authenticatedBy: AuthenticationMethod): void {
    for (const [token, session] of this.sessions) this.sessions.set(token, { ...session, authenticatedBy });
  }

  #emailOf(token: string): string {
    this.#session(token, true);
    return this.email;
  }

  /** Ends all sessions and starts one. */
  #restart() {
    this.sessions.clear();
    const sessionToken = this.addSession({});
    return { sessionToken, session: this.#session(sessionToken, true) };
  }

  #sendCode(email: string) {
    if (email.endsWith(".invalid")) throw new ConnectError("no such address", Code.InvalidArgument);
    const signInHandle = `sign-in-${this.#addresses.size + 1}`;
    this.#addresses.set(signInHandle, email);
    return { signInHandle };
  }

  #refusal(code: string, signInHandle: string) {
    if (!this.#addresses.has(signInHandle)) return { result: CodeResult.NEW_CODE_REQUIRED };
    if (code.toUpperCase() === RIGHT_CODE) return undefined;
    this.triesLeft--;
    if (this.triesLeft <= 0) return { result: CodeResult.NEW_CODE_REQUIRED };
    return { result: CodeResult.WRONG, triesLeft: this.triesLeft };
  }

  #found(token: string) {
    return {
      session: this.#session(token, true),
      account: { uuid: ACCOUNT, email: this.email, createdAt: CREATED_AT },
    };
  }

  #session(token: string, current: boolean) {
    const session = this.sessions.get(token);
    if (session === undefined) throw new ConnectError("no session", Code.Unauthenticated);
    const { uuid, userAgent, authenticatedAtMs, authenticatedBy } = session;
    const authenticatedAt = timestampFromMs(authenticatedAtMs);
    const expiresAt = timestampFromMs(authenticatedAtMs + 14 * 24 * HOUR_MS);
    return { uuid, userAgent, current, authenticatedBy, authenticatedAt, lastSeenAt: authenticatedAt, expiresAt };
  }

  #consent() {
    const { clientUuid, name: clientName, saleUuid, squareLogo } = this.#client;
    const grantedScopes = ["read_entities", "sale_eligibility_check", "contact_email"];
    return { clientUuid, clientName, saleUuid, squareLogo, grantedScopes, updatedAt: timestampFromMs(Date.now()) };
  }
}
