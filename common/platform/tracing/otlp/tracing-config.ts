import { ConfigError, type Env } from "../../config/env.ts";

export const SAMPLERS = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;
export type SamplerName = (typeof SAMPLERS)[number];

/** The receiver and the sampling of spans, from the standard variables of OpenTelemetry. */
export interface TracingConfig {
  /** `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT`, or `OTEL_EXPORTER_OTLP_ENDPOINT` and `/v1/traces`. */
  readonly url: string;
  /** `OTEL_EXPORTER_OTLP_HEADERS`: headers of each export, such as a key of the receiver. */
  readonly headers: Readonly<Record<string, string>>;
  /** `OTEL_EXPORTER_OTLP_TIMEOUT`, 10 s by default: the time limit of one export, in milliseconds. */
  readonly timeoutMs: number;
  /** `OTEL_TRACES_SAMPLER`, `parentbased_always_on` by default. */
  readonly sampler: SamplerName;
  /** `OTEL_TRACES_SAMPLER_ARG`, 1 by default: the share of traces that a ratio-based sampler records. */
  readonly ratio: number;
  /** `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES`: attributes by which the receiver distinguishes processes. */
  readonly resource: Readonly<Record<string, string>>;
}

const PROTOCOLS = { protocols: ["http:", "https:"] } as const;
const HEADER_NAME = /^[!#$%&'*+.^`|~\w-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e]*$/;

/**
 * Reads the configuration. Undefined, for no tracing, if neither endpoint is set or `OTEL_SDK_DISABLED` is true.
 *
 * @param service the name of the process, unless `OTEL_SERVICE_NAME` is set
 * @throws ConfigError naming the variable
 */
export function tracingConfig(env: Env, service: string): TracingConfig | undefined {
  const url = endpoint(env);
  env.choice("OTEL_EXPORTER_OTLP_PROTOCOL", ["http/protobuf"], "http/protobuf");
  const isDisabled = env.boolean("OTEL_SDK_DISABLED", false);
  const config = {
    headers: headers(env),
    timeoutMs: env.integer("OTEL_EXPORTER_OTLP_TIMEOUT", { default: 10_000, min: 100, max: 60_000 }),
    ...sampling(env),
    resource: resource(env, service),
  };
  return url === undefined || isDisabled ? undefined : Object.freeze({ url, ...config });
}

function endpoint(env: Env): string | undefined {
  const traces = env.optionalUrl("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", PROTOCOLS);
  const all = env.optionalUrl("OTEL_EXPORTER_OTLP_ENDPOINT", PROTOCOLS);
  if (traces !== undefined) return traces.href;
  return all && `${all.href.replace(/\/$/, "")}/v1/traces`;
}

function sampling(env: Env): Pick<TracingConfig, "sampler" | "ratio"> {
  const sampler = env.choice("OTEL_TRACES_SAMPLER", SAMPLERS, "parentbased_always_on");
  const text = env.optionalString("OTEL_TRACES_SAMPLER_ARG");
  if (text === undefined) return { sampler, ratio: 1 };
  if (!sampler.endsWith("traceidratio")) {
    throw new ConfigError("OTEL_TRACES_SAMPLER_ARG", `expected it not to be set, as ${sampler} takes none`);
  }
  const ratio = /^\d(\.\d{1,12})?$/.test(text) ? Number(text) : Number.NaN;
  if (ratio >= 0 && ratio <= 1) return { sampler, ratio };
  throw new ConfigError("OTEL_TRACES_SAMPLER_ARG", "expected a share from 0 to 1, such as 0.05");
}

function headers(env: Env): Record<string, string> {
  const text = env.optionalSecret("OTEL_EXPORTER_OTLP_HEADERS") ?? "";
  const pairs = keyValues("OTEL_EXPORTER_OTLP_HEADERS", text);
  if (pairs.every(([key, value]) => HEADER_NAME.test(key) && HEADER_VALUE.test(value)))
    return Object.fromEntries(pairs);
  throw new ConfigError("OTEL_EXPORTER_OTLP_HEADERS", "expected names and values of HTTP headers");
}

/** Default namespace, as names such as `gateway` may be those of other systems, too. */
const NAMESPACE = "tidemark";

function resource(env: Env, service: string): Record<string, string> {
  const text = env.optionalString("OTEL_RESOURCE_ATTRIBUTES") ?? "";
  const attributes = Object.fromEntries(keyValues("OTEL_RESOURCE_ATTRIBUTES", text));
  const ours = { "service.namespace": NAMESPACE, "service.name": service };
  return { ...ours, ...attributes, ...named(env.optionalString("OTEL_SERVICE_NAME")) };
}

function named(name: string | undefined): Record<string, string> {
  if (name === undefined) return {};
  if (/^[!-~]{1,255}$/.test(name)) return { "service.name": name };
  throw new ConfigError("OTEL_SERVICE_NAME", "expected at most 255 printable ASCII characters without spaces");
}

/** Parses `name=value,…` with percent-encoded values, the format of W3C baggage. */
function keyValues(variable: string, text: string): [string, string][] {
  return text
    .split(",")
    .map((pair) => pair.trim())
    .filter((pair) => pair !== "")
    .map((pair) => keyValue(variable, pair));
}

function keyValue(variable: string, pair: string): [string, string] {
  const at = pair.indexOf("=");
  try {
    if (at > 0) return [pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())];
  } catch {
    // Not percent-encoded: refused like anything else.
  }
  throw new ConfigError(variable, "expected name=value pairs separated by commas, values percent-encoded");
}
