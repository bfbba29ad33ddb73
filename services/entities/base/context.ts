import type { Logger } from "../../../common/platform/log/log.ts";
import type { Clock } from "../../../common/platform/time/clock.ts";
import type { DerivedKeys } from "./derived-keys.ts";
import type { EntitiesDatabase } from "./schema.ts";

/** What use cases of all subjects share. */
export interface EntitiesContext {
  readonly database: EntitiesDatabase;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly derivedKeys: DerivedKeys;
}
