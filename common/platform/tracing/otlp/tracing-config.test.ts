import { describe, expect, it } from "vitest";
import { Env } from "../../config/env.ts";
import { tracingConfig } from "./tracing-config.ts";

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318/" };
const read = (variables: Record<string, string>) => tracingConfig(new Env(variables), "gateway");

describe("tracingConfig", () => {
  it("is off without an endpoint, and by OTEL_SDK_DISABLED", () => {
    expect(read({ OTEL_SERVICE_NAME: "other" })).toBeUndefined();
    expect(read({ ...ENDPOINT, OTEL_SDK_DISABLED: "true" })).toBeUndefined();
  });

  it("has the standard's defaults", () => {
    expect(read(ENDPOINT)).toEqual({
      url: "http://collector:4318/v1/traces",
      headers: {},
      timeoutMs: 10_000,
      sampler: "parentbased_always_on",
      ratio: 1,
      resource: { "service.namespace": "tidemark", "service.name": "gateway" },
    });
  });

  it("uses the endpoint of traces as it is", () => {
    const config = read({ ...ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://traces/in" });
    expect(config?.url).toBe("https://traces/in");
  });

  it("reads headers, attributes and the sampler", () => {
    const config = read({
      ...ENDPOINT,
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20x, x-tenant = a",
      OTEL_RESOURCE_ATTRIBUTES: "service.namespace=ours,service.name=from-attributes,deployment.environment.name=test",
      OTEL_SERVICE_NAME: "named",
      OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
      OTEL_TRACES_SAMPLER_ARG: "0.25",
    });
    expect(config).toMatchObject({
      headers: { authorization: "Bearer x", "x-tenant": "a" },
      resource: { "service.namespace": "ours", "service.name": "named", "deployment.environment.name": "test" },
      sampler: "parentbased_traceidratio",
      ratio: 0.25,
    });
  });

  it.each([
    [{ OTEL_TRACES_SAMPLER_ARG: "0.5" }, "OTEL_TRACES_SAMPLER_ARG: expected it not to be set"],
    [
      { OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "1.5" },
      "OTEL_TRACES_SAMPLER_ARG: expected a share",
    ],
    [{ OTEL_TRACES_SAMPLER: "sometimes" }, "OTEL_TRACES_SAMPLER: expected one of"],
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }, "OTEL_EXPORTER_OTLP_PROTOCOL: expected one of http/protobuf"],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: "https://me:hunter2@collector" },
      "OTEL_EXPORTER_OTLP_ENDPOINT: expected no user name",
    ],
    [{ OTEL_EXPORTER_OTLP_HEADERS: "hunter2" }, "OTEL_EXPORTER_OTLP_HEADERS: expected name=value pairs"],
    [{ OTEL_EXPORTER_OTLP_HEADERS: "a=%0Ahunter2" }, "OTEL_EXPORTER_OTLP_HEADERS: expected names and values"],
    [{ OTEL_RESOURCE_ATTRIBUTES: "a=%zz" }, "OTEL_RESOURCE_ATTRIBUTES: expected name=value pairs"],
    [{ OTEL_SERVICE_NAME: "two words" }, "OTEL_SERVICE_NAME: expected at most 255"],
  ])("refuses %j", (variables, message) => {
    expect(() => read(variables)).toThrow(message);
    expect(() => read(variables)).not.toThrow("hunter2");
  });
});
