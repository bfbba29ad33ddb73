import type { Json } from "./json.ts";

/** A schema of the document, as far as requests are checked against it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly const?: Json;
  readonly enum?: readonly Json[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Content {
  readonly schema: Schema;
  readonly example?: Json;
  readonly examples?: Readonly<Record<string, { readonly value: Json }>>;
}
type Contents = Readonly<Record<string, Content>>;

interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Contents;
}

interface OperationObject {
  readonly operationId: string;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly requestBody?: { readonly content: Contents };
  readonly responses: Readonly<Record<string, Response>>;
}
type PathItem = Readonly<Partial<Record<"get" | "post", OperationObject>>>;

/** The OpenAPI document, as far as the mock reads it. */
export interface OpenApiDocument {
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** An operation of the document. */
export class Operation {
  readonly method: string;
  readonly path: string;
  /** A short name, the same for both paths of a call, such as `my-profile`. */
  readonly name: string;
  readonly #object: OperationObject;
  readonly #pattern: RegExp;

  constructor(method: string, path: string, name: string, object: OperationObject) {
    this.method = method;
    this.path = path;
    this.name = name;
    this.#object = object;
    const escaped = path.replaceAll(".", "\\.").replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)");
    this.#pattern = new RegExp(`^${escaped}$`);
  }

  /** Documented statuses, ascending. */
  get statuses(): readonly number[] {
    return Object.keys(this.#object.responses).map(Number).filter(Number.isInteger).toSorted();
  }

  /** Scopes that an access token must have; undefined for an operation that needs no token. */
  get scopes(): readonly string[] | undefined {
    const { security = [] } = this.#object;
    return security.length === 0 ? undefined : security.flatMap((scheme) => Object.values(scheme).flat());
  }

  /** Media types and schema of the request's body; undefined for one without a body. */
  get request(): Contents | undefined {
    return this.#object.requestBody?.content;
  }

  /** Returns the parameters in a path; undefined where it is another operation's. */
  match(path: string): Readonly<Record<string, string>> | undefined {
    return this.#pattern.exec(path)?.groups ?? (this.#pattern.test(path) ? {} : undefined);
  }

  response(status: number): Response | undefined {
    return this.#object.responses[`${status}`];
  }

  /** Returns the example of an answer. @param name of one of several; the first by default */
  example(status: number, name?: string): Json | undefined {
    const [content] = Object.values(this.response(status)?.content ?? {});
    const named = content?.examples ?? {};
    return (named[name ?? ""] ?? Object.values(named)[0])?.value ?? content?.example;
  }
}

/** A document with its operations at the paths of this mock. */
export class MockDocument {
  readonly operations: readonly Operation[];
  readonly schemas: Readonly<Record<string, Schema>>;
  /** The origin that examples name. */
  readonly origin: string;
  readonly #text: string;

  /** @param prefix first segment of the calls' paths */
  constructor(text: string, prefix: string) {
    this.#text = text.replaceAll(/"\/[^/"]+\/v1\//g, `"/${prefix}/v1/`);
    const { servers, paths, components }: OpenApiDocument = JSON.parse(this.#text);
    this.origin = servers[0]?.url ?? "";
    this.schemas = components.schemas;
    this.operations = Object.entries(paths).flatMap(([path, item]) =>
      (["get", "post"] as const).flatMap((method) => {
        const object = item[method];
        return object === undefined
          ? []
          : [new Operation(method.toUpperCase(), path, nameOf(path, object, paths), object)];
      }),
    );
  }

  /** Returns the first operation of a name. @throws Error where the document has none */
  named(name: string): Operation {
    const operation = this.operations.find((one) => one.name === name);
    if (operation === undefined) throw new Error(`the OpenAPI document has no ${name}`);
    return operation;
  }

  /** Returns the most entries of a list. @throws Error where the document names no bound */
  maxItems(schema: string, property: string): number {
    const { maxItems } = this.schemas[schema]?.properties?.[property] ?? {};
    if (maxItems === undefined) throw new Error(`the OpenAPI document bounds no ${property} of ${schema}`);
    return maxItems;
  }

  /** Returns the document's own text. @param origin of the mock */
  textAt(origin: string): string {
    return this.#text.replaceAll(this.origin, origin);
  }

  resolved(schema: Schema): Schema {
    return schema.$ref === undefined ? schema : (this.schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {});
  }
}

/** Returns the last segment of a path that is no parameter; for a call at the root, that of its other path. */
function nameOf(path: string, { operationId }: OperationObject, paths: OpenApiDocument["paths"]): string {
  const suffix = /externalapi(\.\w+)$/.exec(operationId)?.[1];
  const twin = Object.entries(paths).find(([, item]) => item.post?.operationId === `POST:participation${suffix}`);
  const segments = (twin?.[0] ?? path).split("/").filter((segment) => !segment.startsWith("{"));
  return (segments.at(-1) ?? "").replace(/^oauth\./, "");
}
