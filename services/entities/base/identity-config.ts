import { ConfigError, type Env } from "../../../common/platform/config/env.ts";
import { readEmailAddress } from "../../../common/platform/names/email-address.ts";

/** Who checks identities in this deployment, and how. */
export interface IdentityConfig {
  /** `IDENTITY_PROVIDER`, `review`. */
  readonly provider: "review" | "webhook" | "demo";
  /** `REVIEWERS`: the e-mail addresses of the accounts that decide reviews, in lower case. None by default. */
  readonly reviewers: ReadonlySet<string>;
  /** `REVIEW_CHECK_URL`: the page of the outside check, in which `{entity}` stands for the UUID of an entity. None by default. */
  readonly reviewCheckUrl?: string | undefined;
  /** `APPROVAL_LIFETIME`: when approvals end, in milliseconds after the decision; 0, the default, for never. */
  readonly approvalLifetimeMs: bigint;
  /** The vendor; only with the provider `webhook`. */
  readonly vendor?: VendorConfig;
}

/** How a vendor's checks begin, and how it signs callbacks: by the Standard Webhooks rules with our body, or as Persona does. */
export type VendorProtocol = (typeof PROTOCOLS)[number];

const PROTOCOLS = ["standard-webhooks", "persona"] as const;

/** The vendor that checks identities. */
export interface VendorConfig {
  /** `IDENTITY_PROTOCOL`, `standard-webhooks`. */
  readonly protocol: VendorProtocol;
  /** `IDENTITY_START_URL`: its page to which users are sent. */
  readonly startUrl: string;
  /** `IDENTITY_WEBHOOK_SECRET`: one or two secrets, each of which signs callbacks. With Standard Webhooks the first signs start URLs, too. */
  readonly secrets: readonly string[];
}

const MAX_REVIEWERS = 100;
const LOOPBACK_HOSTS = ["localhost", "127.0.0.1", "[::1]"];
const SECRET_BYTES = { min: 24, max: 64 };

/** @throws ConfigError naming the variable. */
export function identityConfig(env: Env, defaultProvider: IdentityConfig["provider"]): IdentityConfig {
  const provider = env.choice("IDENTITY_PROVIDER", ["review", "webhook", "demo"], defaultProvider);
  const lifetime = env.duration("APPROVAL_LIFETIME", { default: "0d", min: "0d", max: "3650d" });
  const reviewCheckUrl = checkUrl(env);
  const shared = { provider, reviewers: reviewers(env), reviewCheckUrl, approvalLifetimeMs: BigInt(lifetime) };
  if (provider === "webhook") return { ...shared, vendor: vendorConfig(env) };
  const stray = ["IDENTITY_PROTOCOL", "IDENTITY_START_URL", "IDENTITY_WEBHOOK_SECRET"].find((name) => env.isSet(name));
  if (stray === undefined) return shared;
  throw new ConfigError(stray, `expected only with IDENTITY_PROVIDER=webhook, it is ${provider}`);
}

function reviewers(env: Env): ReadonlySet<string> {
  const texts = env.optionalString("REVIEWERS")?.split(",") ?? [];
  const emails = texts.map((text) => readEmailAddress(text)).filter((email) => email !== undefined);
  if (texts.length <= MAX_REVIEWERS && emails.length === texts.length) return new Set(emails);
  throw new ConfigError("REVIEWERS", `expected at most ${MAX_REVIEWERS} e-mail addresses, separated by commas`);
}

/** The place of an entity's UUID, as URLs encode it. */
const ENTITY_PLACE = /%7Bentity%7D/gi;

function checkUrl(env: Env): string | undefined {
  const url = env.optionalUrl("REVIEW_CHECK_URL", { protocols: ["https:"] });
  return url?.href.replaceAll(ENTITY_PLACE, "{entity}");
}

function vendorConfig(env: Env): VendorConfig {
  const protocol = env.choice("IDENTITY_PROTOCOL", PROTOCOLS, "standard-webhooks");
  return { protocol, startUrl: startUrl(env, protocol), secrets: webhookSecrets(env, protocol) };
}

function startUrl(env: Env, protocol: VendorProtocol): string {
  const url = env.url("IDENTITY_START_URL", undefined, { protocols: ["https:", "http:"] });
  const isSecure = url.protocol === "https:" || LOOPBACK_HOSTS.includes(url.hostname);
  if (!isSecure || url.hash !== "") {
    throw new ConfigError(
      "IDENTITY_START_URL",
      "expected an https URL without a fragment, or an http one of localhost",
    );
  }
  if (protocol === "standard-webhooks" || isHostedFlow(url)) return url.href;
  throw new ConfigError(
    "IDENTITY_START_URL",
    "expected, for persona, one inquiry-template-id and none of reference-id, account-id, inquiry-id",
  );
}

/** Whether an address is that of a hosted flow of Persona, to which a reference ID can be added. */
function isHostedFlow({ searchParams }: URL): boolean {
  const [template = "", ...others] = searchParams.getAll("inquiry-template-id");
  const taken = ["reference-id", "account-id", "inquiry-id"].some((name) => searchParams.has(name));
  return /^itmpl_[A-Za-z0-9]+$/.test(template) && others.length === 0 && !taken;
}

const SECRETS: Readonly<
  Record<VendorProtocol, { readonly is: (secret: string) => boolean; readonly expected: string }>
> = {
  "standard-webhooks": { is: isStandardSecret, expected: "whsec_ and 24 to 64 bytes in base64" },
  persona: {
    is: (secret) => /^[\x21-\x7e]{24,200}$/.test(secret),
    expected: "24 to 200 characters, as Persona shows it",
  },
};

function webhookSecrets(env: Env, protocol: VendorProtocol): readonly string[] {
  const text = env.secret("IDENTITY_WEBHOOK_SECRET");
  const secrets = text.split(",").map((secret) => secret.trim());
  const { is, expected } = SECRETS[protocol];
  if (secrets.length <= 2 && secrets.every(is)) return secrets;
  throw new ConfigError("IDENTITY_WEBHOOK_SECRET", `expected one or two secrets, separated by a comma: ${expected}`);
}

function isStandardSecret(secret: string): boolean {
  const encoded = secret.replace(/^whsec_/, "");
  const bytes = Buffer.from(encoded, "base64");
  return bytes.length >= SECRET_BYTES.min && bytes.length <= SECRET_BYTES.max && bytes.toString("base64") === encoded;
}
