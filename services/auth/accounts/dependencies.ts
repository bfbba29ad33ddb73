import type { Client } from "@connectrpc/connect";
import type { EntityService } from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import type { BaseDependencies } from "../base/dependencies.ts";
import type { DerivedKeys } from "../base/derived-keys.ts";
import type { EraseAccount } from "../base/erase-account.ts";
import type { Mailer } from "../base/mailer.ts";
import type { MailApplication } from "./code-mail.ts";
import type { SendPace } from "./send-pace.ts";

export interface AccountDependencies extends BaseDependencies {
  readonly mailer: Mailer;
  /** The entities service; undefined in a deployment without one. */
  readonly entities?: Pick<Client<typeof EntityService>, "closeAccount" | "eraseAccount"> | undefined;
  readonly derivedKeys: Pick<DerivedKeys, "oneTimeCode" | "counters" | "knownBrowser" | "other">;
  readonly sendPace: Pick<SendPace, "send" | "imitate">;
  /** The origin of `AUTH_URL`. */
  readonly issuer: string;
  /** Finds the application of an authorization that this browser has begun; undefined where there is none. */
  readonly requestingApplication: (
    authorizationHandle: string,
    browserToken: string,
  ) => Promise<MailApplication | undefined>;
  /** One for each subject that keeps rows of an account, in the order in which they run. */
  readonly eraseAccount: readonly EraseAccount[];
}
