import type { Client } from "@connectrpc/connect";
import type { SaleService } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import type { Logger } from "../../shared/log/log.ts";
import type { KeyRing } from "../keys/key-ring.ts";
import type { Mailer } from "../mail/mailer.ts";
import type { ActorTokens } from "../sessions/actor-tokens.ts";
import type { AccessTokens } from "../tokens/access-tokens.ts";
import type { Clock } from "./clock.ts";
import type { AuthConfig } from "./config.ts";
import type { DerivedKeys } from "./derived-keys.ts";
import type { RateLimits } from "./rate-limits.ts";
import type { AuthDatabase } from "./schema.ts";

/** What the handlers work with. */
export interface Dependencies {
  readonly database: AuthDatabase;
  readonly clock: Clock;
  readonly config: AuthConfig;
  readonly derivedKeys: DerivedKeys;
  readonly keyRing: KeyRing;
  readonly accessTokens: AccessTokens;
  readonly actorTokens: ActorTokens;
  readonly mailer: Mailer;
  readonly rateLimits: Pick<RateLimits, "take">;
  /** Of the commitments service. */
  readonly sales: Pick<Client<typeof SaleService>, "getSale">;
  readonly logger: Logger;
}
