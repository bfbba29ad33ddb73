import { randomUUID } from "node:crypto";
import { nkeys } from "nats";

type KeyPair = ReturnType<typeof nkeys.createOperator>;

const NO_LIMITS = { subs: -1, data: -1, payload: -1 };
const ACCOUNT_LIMITS = { ...NO_LIMITS, imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1 };
const STORE_LIMITS = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 };

/** Subjects that a user may publish and subscribe to. */
export interface NatsRights {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

/** An operator of NATS with an account of JetStream, and users by JWT and NKey as `nsc` makes them. */
export class NatsOperator {
  /** Configuration of the server. */
  readonly configuration: string;
  readonly #account = nkeys.createAccount();

  constructor() {
    const [operator, system] = [nkeys.createOperator(), nkeys.createAccount()];
    const account = (pair: KeyPair, limits: object) =>
      signedJwt(operator, pair, { type: "account", limits, default_permissions: { pub: {}, sub: {} } });
    this.configuration = `
      operator: ${signedJwt(operator, operator, { type: "operator", system_account: system.getPublicKey() })}
      system_account: ${system.getPublicKey()}
      resolver: MEMORY
      resolver_preload: {
        ${system.getPublicKey()}: ${account(system, ACCOUNT_LIMITS)}
        ${this.#account.getPublicKey()}: ${account(this.#account, { ...ACCOUNT_LIMITS, ...STORE_LIMITS })}
      }`;
  }

  /** The content of a `.creds` file of a new user. */
  credentials({ publish, subscribe }: NatsRights): string {
    const user = nkeys.createUser();
    const rights = { pub: { allow: publish }, sub: { allow: subscribe } };
    const jwt = signedJwt(this.#account, user, { type: "user", ...rights, ...NO_LIMITS });
    const seed = new TextDecoder().decode(user.getSeed());
    return [
      "-----BEGIN NATS USER JWT-----",
      jwt,
      "------END NATS USER JWT------",
      "",
      "-----BEGIN USER NKEY SEED-----",
      seed,
      "------END USER NKEY SEED------",
      "",
    ].join("\n");
  }
}

function signedJwt(issuer: KeyPair, subject: KeyPair, claims: object): string {
  const payload = {
    jti: randomUUID(),
    iat: Math.floor(Date.now() / 1_000),
    iss: issuer.getPublicKey(),
    name: "test",
    sub: subject.getPublicKey(),
    nats: { ...claims, version: 2 },
  };
  const signed = [{ typ: "JWT", alg: "ed25519-nkey" }, payload]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
  return `${signed}.${Buffer.from(issuer.sign(new TextEncoder().encode(signed))).toString("base64url")}`;
}
