import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, type ServiceImpl } from "@connectrpc/connect";
import {
  type AccountProof,
  type AccountService,
  type CompleteRecoveryResponse,
  type Recovery,
  RecoverySchema,
} from "../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import type { FakePasskeys } from "./fake-passkeys.ts";

/** The pass that a code gives where the account requires a passkey. */
export const PASS = "p".repeat(43);

const HOUR_MS = 3_600_000;
const BEGUN_MS = Date.UTC(2026, 8, 1, 12);

export interface RecoverableAccount {
  readonly passkeys: Pick<FakePasskeys, "passkeys">;
  /** Returns the address of the account. @throws ConnectError where no session has the token */
  readonly emailOf: (sessionToken: string) => string;
  /** Ends all sessions and starts one. */
  readonly restart: () => Pick<CompleteRecoveryResponse, "sessionToken"> & { readonly session: object };
}

type Methods = ServiceImpl<typeof AccountService>;

/** The recovery of one account in memory, and whether it requires a passkey. */
export class FakeRecovery {
  passkeyRequired = false;
  recovery: Recovery | undefined;
  readonly #account: RecoverableAccount;

  constructor(account: RecoverableAccount) {
    this.#account = account;
  }

  readonly methods: Pick<
    Methods,
    "getSignInRules" | "beginRecovery" | "stopRecovery" | "completeRecovery" | "setPasskeyRequired"
  > = {
    getSignInRules: ({ proof }) => ({
      email: this.#emailOf(proof),
      passkeys: this.#account.passkeys.passkeys.length,
      passkeyRequired: this.passkeyRequired,
      ...(this.recovery && { recovery: this.recovery }),
    }),
    beginRecovery: ({ proof }) => {
      this.#emailOf(proof);
      return { recovery: this.begin() };
    },
    stopRecovery: ({ proof, recoveryUuid }) => {
      this.#emailOf(proof);
      if (this.recovery?.uuid !== recoveryUuid) throw new ConnectError("no such recovery", Code.NotFound);
      this.recovery = undefined;
      return {};
    },
    completeRecovery: ({ proof }) => {
      this.#emailOf(proof);
      if (!this.recovery?.ready) throw new ConnectError("it waits", Code.FailedPrecondition);
      this.recovery = undefined;
      this.passkeyRequired = false;
      this.#account.passkeys.passkeys = [];
      return this.#account.restart();
    },
    setPasskeyRequired: ({ required }) => {
      this.passkeyRequired = required;
      return {};
    },
  };

  /** Begins a recovery. @param ready whether its 72 hours are over */
  begin(ready = false): Recovery {
    this.recovery = create(RecoverySchema, {
      uuid: "88888888-8888-4888-8888-888888888888",
      begunAt: timestampFromMs(BEGUN_MS),
      readyAt: timestampFromMs(BEGUN_MS + 72 * HOUR_MS),
      expiresAt: timestampFromMs(BEGUN_MS + 240 * HOUR_MS),
      ready,
    });
    return this.recovery;
  }

  #emailOf(proof: AccountProof | undefined): string {
    const { case: kind, value = "" } = proof?.proof ?? {};
    if (kind === "sessionToken") return this.#account.emailOf(value);
    if (value !== PASS) throw new ConnectError("no pass", Code.Unauthenticated);
    return "alice@example.org";
  }
}
