import type { IncomingMessage, ServerResponse } from "node:http";
import { type Answer, answerOf, answerOfError, ownFault } from "./answer.ts";
import { documentedError, type MockCall, type MockServices } from "./call.ts";
import { CONTROL_PATHS, controlPage, statesAnswer } from "./control.ts";
import type { Operation } from "./document.ts";
import { type ElementScript, scriptAnswer } from "./element-script.ts";
import { openStream, waitFor, writeAnswer } from "./http.ts";
import { LiveStream } from "./live-stream.ts";
import { callError, MockError } from "./mock-error.ts";
import { tokensOf } from "./oauth-answers.ts";
import { checkFields, fieldsOf, grantOf, readBody } from "./request.ts";
import { takesBids } from "./sale-answers.ts";
import { merged, ofCall, type StateFields, type States } from "./states.ts";

const OPENAPI_PATH = "/openapi.json";
/** States of one request, as of a form: `EntitySetupState=failure&delay=500`. */
const STATES_HEADER = "tidemark-mock";
/** Parameters that choose states for one request: `mock.EntitySetupState=failure`. */
const STATES_PARAMETER = /^mock\.(.+)$/;

/** A request with what is read of it before its body. */
interface Incoming {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
}

/** The parts of a mock that answer. */
export interface MockParts extends MockServices {
  readonly element: ElementScript;
}

/** Answers requests by the document, the chosen states, and what was issued and chosen before. */
export class MockServer {
  readonly #services: MockParts;
  readonly #fields: StateFields;
  readonly #start: States;
  readonly #streams = new Set<LiveStream>();
  #states: States;

  /** @param start states to which a reset leads back */
  constructor(services: MockParts, fields: StateFields, start: States) {
    this.#services = services;
    this.#fields = fields;
    this.#start = start;
    this.#states = start;
  }

  /** Adds a commitment, unless the chosen states say that none comes. */
  tick(): void {
    const states = this.#states;
    const isStill = states.get("stream") === "still" || states.get("feed") === "standing-still";
    if (isStill || states.get("commitments") === "none" || !takesBids({ states })) return;
    this.#services.figures.grow();
    for (const stream of this.#streams) stream.update();
  }

  heartbeat(): void {
    for (const stream of this.#streams) stream.heartbeat();
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const incoming = incomingOf(request, response);
    const { document } = this.#services;
    const answer = await this.#answer(incoming);
    if (answer !== undefined) writeAnswer(response, answer, { from: document.origin, to: incoming.url.origin });
  }

  /** @returns undefined where the answer is a stream */
  async #answer(incoming: Incoming): Promise<Answer | undefined> {
    let operation: Operation | undefined;
    try {
      const own = await this.#ownAnswer(incoming);
      if (own !== undefined) return own;
      operation = this.#operationOf(incoming);
      return await this.#call(incoming, operation);
    } catch (thrown) {
      const error = thrown instanceof MockError ? thrown : ownFault(thrown);
      return answerOfError(operation && { operation }, error);
    }
  }

  /** Answers at the mock's own paths, and preflights. */
  async #ownAnswer(incoming: Incoming): Promise<Answer | undefined> {
    const { method, url, headers } = incoming;
    if (method === "OPTIONS") return { status: 204, headers: {}, body: "" };
    const { document, element } = this.#services;
    if (url.pathname === "/") return { status: 303, headers: { Location: CONTROL_PATHS.page }, body: "" };
    if (url.pathname === OPENAPI_PATH)
      return { status: 200, headers: {}, body: JSON.parse(document.textAt(url.origin)) };
    const script = scriptAnswer(element, url.pathname);
    if (script !== undefined) return script;
    if (url.pathname === CONTROL_PATHS.page) return controlPage(this.#states, this.#fields);
    if (url.pathname === CONTROL_PATHS.states) return this.#control(incoming);
    if (url.pathname !== CONTROL_PATHS.token) return undefined;
    const call = { ...this.#services, states: this.#states, origin: url.origin, query: url.searchParams, headers };
    const body = await tokensOf({ ...call, grant: undefined }, url.searchParams.get("scope") ?? "");
    return { status: 200, headers: {}, body };
  }

  /** Shows, chooses or resets the states. */
  async #control({ request, method, headers }: Incoming): Promise<Answer> {
    if (method === "DELETE") this.#choose(this.#start);
    if (method === "POST") {
      const body = (await readBody(request)) ?? "";
      const isJson = headers.get("content-type")?.startsWith("application/json");
      const chosen = isJson ? entriesOf(body) : [...new URLSearchParams(body)];
      this.#choose(merged(this.#states, this.#fields.read(chosen)));
      const isPage = headers.get("accept")?.includes("text/html");
      if (isPage) return { status: 303, headers: { Location: CONTROL_PATHS.page }, body: "" };
    }
    return statesAnswer(this.#states, this.#fields);
  }

  #choose(states: States): void {
    this.#states = states;
    this.#services.figures.change();
    for (const stream of this.#streams) stream.update();
  }

  /** @throws MockError 404 or 405 */
  #operationOf({ method, url }: Incoming): Operation {
    const { operations } = this.#services.document;
    const atPath = operations.filter((operation) => operation.match(url.pathname) !== undefined);
    const operation = atPath.find((one) => one.method === method);
    if (operation !== undefined) return operation;
    if (atPath.length === 0) {
      const message = `There is nothing at ${url.pathname}. ${OPENAPI_PATH} lists the calls, ${CONTROL_PATHS.page} the states.`;
      throw callError(404, "not_found", message);
    }
    const methods = atPath.map((one) => one.method).join(", ");
    throw callError(405, "unimplemented", `This path answers ${methods}, OPTIONS only.`);
  }

  /** Answers an operation. @returns undefined where it opens a stream */
  async #call(incoming: Incoming, operation: Operation): Promise<Answer | undefined> {
    const { request, response, url, headers } = incoming;
    const body = await readBody(request);
    const own = this.#fields.read(ownStates(incoming));
    const states = merged(this.#states, own);
    await waitFor(Number(ofCall(states, "delay", operation.name) ?? 0), response);
    const shared = { ...this.#services, operation, states, origin: url.origin, query: url.searchParams, headers };
    const status = Number(ofCall(states, "status", operation.name) ?? 0);
    if (status >= 400 && operation.statuses.includes(status)) throw documentedError(shared, status);
    const grant = await grantOf(shared);
    const sent = fieldsOf(operation, body, headers.get("content-type") ?? "");
    const call: MockCall = { ...shared, grant, fields: { ...sent, ...operation.match(url.pathname) } };
    checkFields(call);
    if (operation.name !== "stream") return answerOf(call);
    this.#stream(call, own, response);
    return undefined;
  }

  #stream(call: MockCall, own: States, response: ServerResponse): void {
    const states = () => merged(this.#states, own);
    const stream = new LiveStream(call, states, openStream(response));
    this.#streams.add(stream);
    response.once("close", () => this.#streams.delete(stream));
    stream.open(call.headers.get("last-event-id") ?? "");
  }
}

/** Returns the states that a request chooses for itself. */
function ownStates({ url, headers }: Incoming): [name: string, value: string][] {
  const parameters = [...url.searchParams].flatMap(([name, value]): [string, string][] => {
    const [, state] = STATES_PARAMETER.exec(name) ?? [];
    return state === undefined ? [] : [[state, value]];
  });
  return [...new URLSearchParams(headers.get(STATES_HEADER) ?? ""), ...parameters];
}

/** Returns the fields of a JSON object as texts. @throws MockError for anything else */
function entriesOf(body: string): [name: string, value: string][] {
  try {
    return Object.entries(JSON.parse(body)).map(([name, value]) => [name, String(value ?? "")]);
  } catch {
    throw callError(400, "invalid_argument", "The request body must be a JSON object.");
  }
}

function incomingOf(request: IncomingMessage, response: ServerResponse): Incoming {
  const headers = new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const method = request.method === "HEAD" ? "GET" : (request.method ?? "");
  const path = (request.url ?? "").replace(/^[/\\]*/, "/");
  return { request, response, method, url: new URL(path, originOf(headers)), headers };
}

/** Returns the origin by which the mock was called. */
function originOf(headers: Headers): string {
  const origin = `http://${headers.get("host") ?? ""}`;
  return URL.canParse(origin) ? new URL(origin).origin : "http://localhost";
}
