import { type AuthProcess, generateAuthCallerKeys, startAuthProcess } from "../../support/processes/auth-process.ts";
import { freePort } from "../../support/processes/free-port.ts";
import { RestartableProcess } from "../../support/processes/restartable-process.ts";

/** An auth service that can be killed and started again on the same data and the same port. */
export class RestartableAuth extends RestartableProcess<AuthProcess> {
  /** A client with the gateway's key, which stays usable after a restart. */
  readonly authorization = this.running.as("gateway").authorization;

  /** Starts the service. @param env settings, among them the database */
  static async start(env: Readonly<Record<string, string>>): Promise<RestartableAuth> {
    const keys = generateAuthCallerKeys();
    const port = await freePort();
    const all = {
      AUTH_PORT: String(port),
      AUTH_URL: "https://auth.example",
      AUTH_RATE_LIMITS: "off",
      KEY_ENCRYPTION_KEY: Buffer.alloc(32, 5).toString("base64url"),
      COMMITMENTS_URL: "http://127.0.0.1:1",
      CALLER_KEY: keys.commitments.text,
      ...env,
    };
    const start = () => startAuthProcess(all, keys);
    return new RestartableAuth(start, await start());
  }
}
