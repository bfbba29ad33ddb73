import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { bothKeys } from "../../../common/platform/secrets/both-keys.ts";
import { FakeClock } from "../../../common/platform/testing/fake-clock.ts";
import { captureLog } from "../../../common/platform/testing/log-capture.ts";
import type { AuthConfig } from "../base/config.ts";
import { deriveKeys } from "../base/derived-keys.ts";
import { KeyRing } from "../keys/key-ring.ts";
import { type WiredContext, wireContext } from "../wired-context.ts";
import { openAuthDatabase } from "./auth-database.ts";
import { testAuthConfig } from "./test-auth-config.ts";

export interface TestContext extends WiredContext {
  readonly time: FakeClock;
}

/** The parts of the context that a test replaces. */
export interface GivenContext extends Partial<WiredContext> {
  readonly config?: AuthConfig;
}

/**
 * The context of the handlers in a test: an SQLite database in memory, a clock that the test moves, real keys, no rate
 * limits, a mailer that drops mails, and no sales. `given` replaces any of these.
 */
export async function authContext({ config = testAuthConfig(), ...given }: GivenContext = {}): Promise<TestContext> {
  const time = new FakeClock();
  const clock = given.clock ?? time.now;
  const database = given.database ?? (await openAuthDatabase());
  const derivedKeys = deriveKeys(config.keyEncryptionKey, config.otherKeyEncryptionKey);
  const { issuer, keyRotationMs: rotationMs } = config;
  const monotonicNow = () => Number(clock());
  const keys = { database, clock, monotonicNow, issuer, wrapKeys: bothKeys(derivedKeys, "signingKeyWrap"), rotationMs };
  const wired = wireContext({
    config,
    database,
    clock,
    derivedKeys,
    keyRing: await KeyRing.open(keys),
    rsaKeyRing: await KeyRing.openLazily({ ...keys, algorithm: "RS256" }),
    mailer: { send: async () => {} },
    rateLimits: { take: async () => {} },
    sales: { getSale: () => Promise.reject(new ServiceError("not_found", "there is no such sale")) },
    logger: captureLog().logger,
  });
  return { ...wired, ...given, clock, database, time };
}
