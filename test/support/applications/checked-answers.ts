import { expect } from "vitest";
import { DocumentSchemas, type NamedOperation, type OpenApi, operationsOf } from "../repository/openapi.ts";

/** Holds answers against the OpenAPI document, and records which of its answers were seen. */
export class CheckedAnswers {
  readonly schemas: DocumentSchemas;
  readonly #operations: ReadonlyMap<string, NamedOperation>;
  readonly #seen = new Set<string>();

  constructor(document: OpenApi) {
    this.schemas = new DocumentSchemas(document);
    this.#operations = new Map(operationsOf(document).map((operation) => [operation.operationId, operation]));
  }

  /** Documented answers as `GET:sales.History 200`, those for whatever else HTTP may say left out. */
  documented(): string[] {
    return [...this.#operations].flatMap(([id, { responses }]) =>
      Object.keys(responses).flatMap((status) => (status === "default" ? [] : [`${id} ${status}`])),
    );
  }

  seen(): string[] {
    return [...this.#seen];
  }

  /**
   * Checks an answer's status, media type and body; a stream's body is left to the caller.
   *
   * @param as the documented status, where it isn't the answer's own
   * @returns the JSON body, where it is one
   */
  async check(operationId: string, answer: Response, as = `${answer.status}`): Promise<unknown> {
    const name = `${operationId} ${answer.status}`;
    const documented = this.#operations.get(operationId)?.responses[as];
    if (documented === undefined) throw new Error(`${name} isn't documented: ${await answer.text()}`);
    this.#seen.add(`${operationId} ${as}`);
    const mediaType = answer.headers.get("content-type")?.split(";")[0] ?? "";
    if (mediaType === "text/event-stream") {
      expect(Object.keys(documented.content ?? {}), name).toEqual([mediaType]);
      return undefined;
    }
    const body = await answer.text();
    if (documented.content === undefined) {
      expect(body, name).toBe("");
      return undefined;
    }
    const content = documented.content[mediaType];
    if (content === undefined) throw new Error(`${name} is ${mediaType}, which isn't documented: ${body}`);
    const value: unknown = mediaType === "application/json" ? JSON.parse(body) : body;
    expect(this.schemas.errors(content.schema, value), `${name}: ${body.slice(0, 500)}`).toEqual([]);
    return value;
  }
}
