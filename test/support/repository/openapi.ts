import { Ajv2020, type AnySchema, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

/** An OpenAPI document, as far as tests look at it. */
export interface OpenApi {
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: { readonly schemas: Readonly<Record<string, AnySchema>> };
  readonly [field: string]: unknown;
}
export interface PathItem {
  readonly get?: Operation;
  readonly post?: Operation;
  readonly parameters?: readonly Parameter[];
}
export interface Operation {
  readonly description?: string;
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content; readonly headers?: object }>>;
}
export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: AnySchema;
  readonly example?: unknown;
}
export type Content = Readonly<
  Record<string, { schema: AnySchema; example?: unknown; examples?: Record<string, { value: unknown }> }>
>;

export interface NamedOperation extends Operation {
  readonly method: string;
  readonly path: string;
}

/** All operations, with their path's parameters. */
export function operationsOf({ paths }: OpenApi): NamedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    (["get", "post"] as const).flatMap((method) => {
      const operation = item[method];
      if (operation === undefined) return [];
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])];
      return [{ ...operation, method: method.toUpperCase(), path, parameters }];
    }),
  );
}

/** Validates against the document's schemas, and takes no field that they don't name. */
export class DocumentSchemas {
  readonly #ajv = new Ajv2020({ strict: true, strictRequired: false, allErrors: true });

  constructor({ components }: OpenApi) {
    addFormats.default(this.#ajv);
    this.#ajv.addFormat("int64", { type: "number", validate: Number.isSafeInteger });
    this.#ajv.addKeyword("components");
    this.#ajv.addSchema({ $id: "https://document/", components: { schemas: closed(components.schemas) } });
  }

  /** Violations of a schema of the document by a value; empty if it is valid. */
  errors(schema: AnySchema, value: unknown): string[] {
    const validate = this.#compiled(schema);
    return validate(value) ? [] : (validate.errors ?? []).map((error) => `${error.instancePath}: ${error.message}`);
  }

  #compiled(schema: AnySchema): ValidateFunction {
    const $ref = typeof schema === "object" && "$ref" in schema ? schema["$ref"] : undefined;
    if (typeof $ref !== "string") return this.#ajv.compile(schema);
    const found = this.#ajv.getSchema(`https://document/${$ref}`);
    if (found === undefined) throw new Error(`there is no schema ${$ref}`);
    return found;
  }
}

/** Schemas in which every object that names its fields has no other ones. */
function closed<Schema>(schema: Schema): Schema {
  if (Array.isArray(schema)) return schema.map(closed) as Schema;
  if (typeof schema !== "object" || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  return ("properties" in copy && !("additionalProperties" in copy)
    ? { ...copy, additionalProperties: false }
    : copy) as unknown as Schema;
}

const text = { type: "string" };
const map = (items: object) => ({ type: "object", additionalProperties: items });
const schemaObject = { $ref: "https://json-schema.org/draft/2020-12/schema" };

function fixed(properties: object, required: readonly string[] = []): object {
  return { type: "object", properties, required, additionalProperties: false };
}

const server = fixed({ url: text, description: text }, ["url"]);
const media = {
  ...fixed({ schema: schemaObject, example: true, examples: map(fixed({ summary: text, value: true }, ["value"])) }, [
    "schema",
  ]),
  not: { required: ["example", "examples"] },
};
const content = map(media);
const header = fixed({ description: text, required: { type: "boolean" }, schema: schemaObject }, ["schema"]);
const parameter = {
  ...fixed(
    {
      name: text,
      in: { enum: ["query", "header", "path"] },
      description: text,
      required: { type: "boolean" },
      schema: schemaObject,
      example: true,
    },
    ["name", "in", "schema"],
  ),
  if: { properties: { in: { const: "path" } } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { properties: { required: { const: true } }, required: ["required"] },
};
const response = fixed({ description: text, headers: map(header), content }, ["description"]);
const operation = fixed(
  {
    operationId: text,
    tags: { type: "array", items: text },
    summary: text,
    description: text,
    security: { type: "array", items: map({ type: "array", items: text }) },
    parameters: { type: "array", items: parameter },
    requestBody: fixed({ description: text, required: { type: "boolean" }, content }, ["content"]),
    responses: {
      type: "object",
      minProperties: 1,
      patternProperties: { "^([1-5][0-9]{2}|default)$": response },
      additionalProperties: false,
    },
  },
  ["operationId", "responses"],
);
const flow = fixed({ authorizationUrl: text, tokenUrl: text, refreshUrl: text, scopes: map(text) }, [
  "authorizationUrl",
  "tokenUrl",
  "scopes",
]);

/**
 * Schema of the parts of OpenAPI 3.1 that our document uses: a field that is none of these, or misses one that is
 * required, is refused.
 */
export const OPENAPI_STRUCTURE: AnySchema = fixed(
  {
    openapi: { type: "string", pattern: "^3\\.1\\.[0-9]+$" },
    info: fixed(
      {
        title: text,
        version: text,
        description: text,
        license: fixed({ name: text, identifier: text }, ["name"]),
      },
      ["title", "version"],
    ),
    servers: { type: "array", items: server },
    tags: { type: "array", items: fixed({ name: text, description: text }, ["name"]) },
    paths: {
      type: "object",
      patternProperties: {
        "^/": fixed({
          servers: { type: "array", items: server },
          parameters: { type: "array", items: parameter },
          get: operation,
          post: operation,
        }),
      },
      additionalProperties: false,
    },
    components: {
      ...fixed({
        schemas: map(schemaObject),
        securitySchemes: map({
          oneOf: [
            fixed({ type: { const: "http" }, scheme: text, description: text }, ["type", "scheme"]),
            fixed({ type: { const: "oauth2" }, description: text, flows: fixed({ authorizationCode: flow }) }, [
              "type",
              "flows",
            ]),
          ],
        }),
      }),
      propertyNames: { pattern: "^[a-zA-Z0-9._-]+$" },
    },
  },
  ["openapi", "info", "paths"],
);
