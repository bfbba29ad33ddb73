import type { Logger } from "../../../common/platform/log/log.ts";
import type { Clock } from "../../../common/platform/time/clock.ts";
import type { DerivedKeys } from "./derived-keys.ts";
import type { EntitiesDatabase } from "./schema.ts";

/** The dependencies that use cases of all subjects share. */
export interface BaseDependencies {
  readonly database: EntitiesDatabase;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly derivedKeys: DerivedKeys;
}
