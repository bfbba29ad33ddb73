import { ConfigError, type Env } from "../../../common/platform/config/env.ts";
import { readEmailAddress } from "../../../common/platform/names/email-address.ts";

/** Who checks identities in this deployment, and how. */
export interface IdentityConfig {
  /** `IDENTITY_PROVIDER`, `review`. */
  readonly provider: "review" | "webhook" | "demo";
  /** `REVIEWERS`: the e-mail addresses of the accounts that decide reviews, in lower case. None by default. */
  readonly reviewers: ReadonlySet<string>;
  /** `APPROVAL_LIFETIME`: when approvals end, in milliseconds after the decision; 0, the default, for never. */
  readonly approvalLifetimeMs: bigint;
  /** The vendor; only with the provider `webhook`. */
  readonly vendor?: VendorConfig;
}

/** The vendor that checks identities. */
export interface VendorConfig {
  /** `IDENTITY_START_URL`: its page to which users are sent. */
  readonly startUrl: string;
  /** `IDENTITY_WEBHOOK_SECRET`: one or two secrets by the Standard Webhooks rules. The first also signs start URLs. */
  readonly secrets: readonly string[];
}

const MAX_REVIEWERS = 100;
const LOOPBACK_HOSTS = ["localhost", "127.0.0.1", "[::1]"];
const SECRET_BYTES = { min: 24, max: 64 };

/** @throws ConfigError naming the variable. */
export function identityConfig(env: Env, defaultProvider: IdentityConfig["provider"]): IdentityConfig {
  const provider = env.choice("IDENTITY_PROVIDER", ["review", "webhook", "demo"], defaultProvider);
  const lifetime = env.duration("APPROVAL_LIFETIME", { default: "0d", min: "0d", max: "3650d" });
  const shared = { provider, reviewers: reviewers(env), approvalLifetimeMs: BigInt(lifetime) };
  if (provider === "webhook") return { ...shared, vendor: { startUrl: startUrl(env), secrets: webhookSecrets(env) } };
  const stray = ["IDENTITY_START_URL", "IDENTITY_WEBHOOK_SECRET"].find((name) => env.isSet(name));
  if (stray === undefined) return shared;
  throw new ConfigError(stray, `expected only with IDENTITY_PROVIDER=webhook, it is ${provider}`);
}

function reviewers(env: Env): ReadonlySet<string> {
  const texts = env.optionalString("REVIEWERS")?.split(",") ?? [];
  const emails = texts.map((text) => readEmailAddress(text)).filter((email) => email !== undefined);
  if (texts.length <= MAX_REVIEWERS && emails.length === texts.length) return new Set(emails);
  throw new ConfigError("REVIEWERS", `expected at most ${MAX_REVIEWERS} e-mail addresses, separated by commas`);
}

function startUrl(env: Env): string {
  const url = env.url("IDENTITY_START_URL", undefined, { protocols: ["https:", "http:"] });
  const isSecure = url.protocol === "https:" || LOOPBACK_HOSTS.includes(url.hostname);
  if (isSecure && url.hash === "") return url.href;
  throw new ConfigError("IDENTITY_START_URL", "expected an https URL without a fragment, or an http one of localhost");
}

function webhookSecrets(env: Env): readonly string[] {
  const text = env.secret("IDENTITY_WEBHOOK_SECRET");
  const secrets = text.split(",").map((secret) => secret.trim());
  if (secrets.length <= 2 && secrets.every(isSecret)) return secrets;
  throw new ConfigError(
    "IDENTITY_WEBHOOK_SECRET",
    "expected one or two secrets, separated by a comma: whsec_ and 24 to 64 bytes in base64",
  );
}

function isSecret(secret: string): boolean {
  const encoded = secret.replace(/^whsec_/, "");
  const bytes = Buffer.from(encoded, "base64");
  return bytes.length >= SECRET_BYTES.min && bytes.length <= SECRET_BYTES.max && bytes.toString("base64") === encoded;
}
