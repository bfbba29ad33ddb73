import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { Agent, request } from "node:https";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import type { KubernetesObject } from "../../support/repository/chart.ts";

/** Address of an API server, and the rights of an administrator there. */
export interface ClusterAccess {
  readonly url: string;
  /** PEM file with the authority of its certificate. */
  readonly caFile: string;
  readonly token: string;
  /** File with all of that for kubectl and helm. */
  readonly kubeconfig: string;
}

/** Change of an object. */
export interface Change {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly object: KubernetesObject;
}

/** An answer other than 2xx. */
export class ApiError extends Error {
  readonly status: number;

  constructor(status: number, call: string, body: string) {
    super(`${call}: ${status} ${body}`);
    this.status = status;
  }
}

/** Status with which the API server asks for another attempt. */
const TOO_MANY_REQUESTS = 429;
const RETRY_MS = 500;

/** A client of the API server. Its methods throw ApiError for an answer other than 2xx. */
export class KubeApi {
  readonly #access: ClusterAccess;
  readonly #agent: Agent;

  constructor(access: ClusterAccess) {
    this.#access = access;
    this.#agent = new Agent({ keepAlive: true, ca: readFileSync(access.caFile) });
  }

  get(path: string): Promise<KubernetesObject> {
    return this.#call("GET", path);
  }

  create(path: string, object: KubernetesObject): Promise<KubernetesObject> {
    return this.#call("POST", path, object);
  }

  /** Merges fields into an object (RFC 7386). */
  patch(path: string, fields: KubernetesObject): Promise<KubernetesObject> {
    return this.#call("PATCH", path, fields, "application/merge-patch+json");
  }

  delete(path: string, options: KubernetesObject = {}): Promise<KubernetesObject> {
    return this.#call("DELETE", path, options);
  }

  /** The status of an answer, for an endpoint that has no objects, such as `/readyz`. */
  async status(path: string): Promise<number> {
    const response = await this.#send("GET", path);
    response.resume();
    return response.statusCode ?? 0;
  }

  /** Every object of a collection, then each change, until the signal. */
  async *changes(path: string, signal: AbortSignal): AsyncGenerator<Change> {
    const list = await this.get(path);
    for (const object of list["items"]) yield { type: "ADDED", object };
    try {
      const query = new URLSearchParams({ watch: "1", resourceVersion: list["metadata"].resourceVersion });
      const response = await this.#send("GET", `${path}?${query}`, { signal });
      for await (const line of createInterface({ input: response })) yield JSON.parse(line);
      throw new Error(`the API server has ended the watch of ${path}`);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  async #call(
    method: string,
    path: string,
    body?: KubernetesObject,
    type = "application/json",
  ): Promise<KubernetesObject> {
    const sent = body === undefined ? {} : { body: JSON.stringify(body), type };
    const response = await this.#send(method, path, sent);
    const answer = await text(response);
    const { statusCode = 0 } = response;
    // Objects of a definition that is new are read a moment later.
    if (statusCode === TOO_MANY_REQUESTS && method === "GET") {
      await delay(RETRY_MS);
      return this.#call(method, path);
    }
    if (statusCode < 200 || statusCode > 299) throw new ApiError(statusCode, `${method} ${path}`, answer);
    return JSON.parse(answer) as KubernetesObject;
  }

  async #send(
    method: string,
    path: string,
    { body, type, signal }: { readonly body?: string; readonly type?: string; readonly signal?: AbortSignal } = {},
  ): Promise<IncomingMessage> {
    const sent = request(new URL(path, this.#access.url), {
      method,
      agent: this.#agent,
      headers: {
        authorization: `Bearer ${this.#access.token}`,
        accept: "application/json",
        ...(type !== undefined && { "content-type": type }),
        // Node leaves it out for DELETE.
        ...(body !== undefined && { "content-length": Buffer.byteLength(body) }),
      },
      ...(signal !== undefined && { signal }),
    });
    sent.end(body);
    const [response] = await once(sent, "response");
    return response;
  }
}

/** Whether an error says that an object isn't there. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

/** Whether an error says that an object has become another one of the same name. */
export function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.status === 409;
}
