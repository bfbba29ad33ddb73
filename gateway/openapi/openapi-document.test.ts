import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, it } from "vitest";
import {
  DocumentSchemas,
  OPENAPI_STRUCTURE,
  type OpenApi,
  operationsOf,
} from "../../test/support/repository/openapi.ts";
import { openApiDocument } from "./openapi-document.ts";

const AUTH = { publicBaseUrl: "https://sale.example", authUrl: "https://sign-in.example" };

const documentOf = (site: Parameters<typeof openApiDocument>[0]): OpenApi =>
  JSON.parse(JSON.stringify(openApiDocument(site)));

const whole = documentOf({ pathPrefix: "svc", auth: AUTH });
const withPublicCalls = documentOf({ pathPrefix: "svc", auth: AUTH, hasPublicCalls: true });
const publicOnly = documentOf({ pathPrefix: "live" });

describe.each([
  ["with sign-in", whole],
  ["without", publicOnly],
  ["with taking part", withPublicCalls],
])("the OpenAPI document %s", (_, document) => {
  const schemas = new DocumentSchemas(document);
  const operations = operationsOf(document);

  it("has the structure of OpenAPI 3.1", () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats.default(ajv);
    const validate = ajv.compile(OPENAPI_STRUCTURE);
    validate(document);
    expect(validate.errors ?? []).toEqual([]);
  });

  it("names each operation once, and each parameter of its path", () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { path, parameters = [] } of operations) {
      const named = parameters.filter((parameter) => parameter.in === "path").map(({ name }) => name);
      expect(named).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
    }
  });

  it("refers to schemas that it has, and has none that nobody refers to", () => {
    const text = JSON.stringify(document);
    const referred = new Set([...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name));
    // The stream's description names them, because OpenAPI 3.1 can't describe events.
    for (const name of ["CommitmentDataDifference", "FeedState", "SaleEvent"]) {
      expect(text).toContain(`\`${name}\``);
      referred.add(name);
    }
    expect([...referred].toSorted()).toEqual(Object.keys(document.components.schemas).toSorted());
  });

  it("has an example of every body, which is as its schema says", () => {
    const contents = operations.flatMap(({ operationId, requestBody, responses }) => [
      ...(requestBody === undefined ? [] : [{ where: operationId, content: requestBody.content }]),
      ...Object.entries(responses).map(([status, { content = {} }]) => ({
        where: `${operationId} ${status}`,
        content,
      })),
    ]);
    for (const { where, content } of contents) {
      for (const [mediaType, { schema, example, examples = {} }] of Object.entries(content)) {
        if (mediaType === "text/html") continue;
        const shown = [example, ...Object.values(examples).map(({ value }) => value)].filter(
          (value) => value !== undefined,
        );
        expect(shown.length, where).toBeGreaterThan(0);
        for (const value of shown) expect(schemas.errors(schema, value), where).toEqual([]);
      }
    }
  });

  it("has examples of parameters that are as their schemas say", () => {
    const shown = operations
      .flatMap(({ parameters = [] }) => parameters)
      .filter(({ example }) => example !== undefined);
    for (const { name, schema, example } of shown) expect(schemas.errors(schema, example), name).toEqual([]);
  });
});

describe("the OpenAPI document", () => {
  it("is version 1, and calls the public read as it has always been called", () => {
    expect(whole["info"]).toMatchObject({ version: "1" });
    expect(whole.paths["/svc/v1/public/read-commitment-data"]?.post?.operationId).toBe(
      "POST:sales.ReadCommitmentDataV2",
    );
  });

  it("says where it is served", () => {
    expect(whole["servers"]).toEqual([{ url: "https://sale.example" }]);
    expect(whole.paths["/oauth/token"]).toMatchObject({ servers: [{ url: "https://sign-in.example" }] });
    expect(publicOnly["servers"]).toEqual([{ url: "/" }]);
    expect(Object.keys(publicOnly.paths).every((path) => path.startsWith("/live/v1/public/"))).toBe(true);
  });

  it("has the calls for a user at both of their paths only where users take part", () => {
    const added = Object.keys(withPublicCalls.paths).filter((path) => !(path in whole.paths));
    expect(added).toHaveLength(14);
    for (const path of added) expect(path).toMatch(/^\/(svc\/v1\/[a-z-]+|externalapi\.\w+)$/);
    expect(Object.keys(whole.paths)).toContain("/oauth.RefreshAccessToken");
  });

  it("says of each operation that has two paths which is the main one", () => {
    const description = (path: string) => {
      const { get, post } = withPublicCalls.paths[path] ?? {};
      return `${(post ?? get)?.description}`;
    };
    expect(description("/svc/v1/limits")).toContain("the main path; `/externalapi.Limits` is the same");
    expect(description("/externalapi.Limits")).toContain("The same as `/svc/v1/limits`, which is the main path");
    const others = [
      "/svc/v1/public/sales/{SaleUUID}/commitment-data",
      "/svc/v1/public/sales/{SaleUUID}",
      "/oauth.ExchangeAuthorizationCodeV2",
      "/oauth.RefreshAccessToken",
      "/.well-known/openid-configuration",
      ...Object.keys(withPublicCalls.paths).filter((path) => path.startsWith("/externalapi.")),
    ];
    for (const path of others) expect(description(path), path).toMatch(/which is the main (?:path|operation)/);
  });

  it("has a check that finds what is wrong", () => {
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    const validate = ajv.compile(OPENAPI_STRUCTURE);
    expect(validate({ ...whole, openapi: "3.0.0" })).toBe(false);
    expect(validate({ ...whole, unknown: 1 })).toBe(false);
    expect(validate({ ...whole, components: { schemas: { Bad: { type: "digits" } } } })).toBe(false);
    const schemas = new DocumentSchemas(whole);
    const schema = { $ref: "#/components/schemas/UserInfo" };
    expect(schemas.errors(schema, { sub: "a" })).toEqual([]);
    expect(schemas.errors(schema, {})).not.toEqual([]);
    expect(schemas.errors(schema, { sub: "a", other: 1 })).not.toEqual([]);
  });
});
