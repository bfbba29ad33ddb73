import { get, type IncomingMessage } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mockFiles } from "../../scripts/client-package.ts";
import { CheckedAnswers } from "../../test/support/applications/checked-answers.ts";
import {
  type Content,
  type NamedOperation,
  type OpenApi,
  operationsOf,
} from "../../test/support/repository/openapi.ts";
import { type RunningMock, startMock } from "./index.ts";

const SALE = "99999999-9999-4999-8999-999999999999";

let mock: RunningMock;
let document: OpenApi;
let answers: CheckedAnswers;
let accessToken: string;
beforeAll(async () => {
  mock = await startMock({ ...mockFiles(), states: { stream: "ends" } });
  document = await (await fetch(`${mock.url}/openapi.json`)).json();
  answers = new CheckedAnswers(document);
  ({ access_token: accessToken } = await (await fetch(`${mock.url}/mock/token`)).json());
});
afterAll(() => mock.close());

const FORM = "application/x-www-form-urlencoded";

/** Returns the example of a request's body, as JSON where that is possible. */
function bodyOf(content: Content): { type: string; body: string } {
  const [type = "", { example, examples = {} } = {}] = Object.entries(content).at(-1) ?? [];
  const value = example ?? Object.values(examples)[0]?.value;
  if (type === FORM) return { type, body: new URLSearchParams(value as Record<string, string>).toString() };
  return { type, body: JSON.stringify(value).replaceAll("11111111-1111-4111-8111-111111111111", SALE) };
}

/** Sends the example of an operation's request, with states for it, and holds the answer against the document. */
async function ask({ operationId, method, path, requestBody, parameters = [] }: NamedOperation, states: object = {}) {
  const query = parameters.filter((one) => one.in === "query" && one.example !== undefined);
  const url = new URL(path.replace("{SaleUUID}", SALE), mock.url);
  for (const { name, schema, example } of query) {
    url.searchParams.set(name, String(example ?? (schema as { const: string }).const));
  }
  const { type = "", body } = requestBody === undefined ? {} : bodyOf(requestBody.content);
  const answer = await fetch(url, {
    method,
    redirect: "manual",
    headers: {
      authorization: `Bearer ${accessToken}`,
      "tidemark-mock": new URLSearchParams(Object.entries(states)).toString(),
      ...(type !== "" && { "content-type": type }),
    },
    ...(body !== undefined && { body }),
  });
  expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  return { status: answer.status, headers: answer.headers, body: await answers.check(operationId, answer) };
}

it("every documented answer of every operation can be had, and is as the document says", async () => {
  for (const operation of operationsOf(document)) {
    const statuses = Object.keys(operation.responses).filter((status) => status !== "default");
    for (const status of statuses) {
      const { headers, ...answer } = await ask(operation, { status });
      // Nobody has been given the code and the refresh token of the examples.
      const isExample = /^POST:oauth\.(Token|ExchangeAuthorizationCodeV2|RefreshAccessToken)$/.test(
        operation.operationId,
      );
      if (!(isExample && status === "200")) expect(answer.status, operation.operationId).toBe(Number(status));
      if (["429", "503"].includes(status))
        expect(headers.has("retry-after"), operation.operationId).toBe(!isPage(operation));
    }
  }
  const isToken = (name: string) => /^POST:oauth\.(Token|Exchange\w+|Refresh\w+) 200$/.test(name);
  expect(answers.seen().toSorted()).toEqual(
    answers
      .documented()
      .filter((name) => !isToken(name))
      .toSorted(),
  );
});

function isPage({ operationId }: NamedOperation): boolean {
  return operationId === "GET:oauth.Authorize" || operationId === "GET:oauth.Logout";
}

interface Possible {
  readonly name: string;
  readonly values?: readonly string[];
}

it("every answer in every other state is as the document says, and the state is in one of them", async () => {
  const { possible } = await (await fetch(`${mock.url}/mock/states`)).json();
  const fields: Possible[] = possible.filter(({ name, values }: Possible) => values && !name.startsWith("status"));
  const operations = operationsOf(document).filter(
    ({ requestBody }) => !("application/x-www-form-urlencoded" in (requestBody?.content ?? {})),
  );
  for (const { name, values = [] } of fields) {
    for (const value of values) {
      const all = [];
      for (const operation of operations) all.push((await ask(operation, { [name]: value })).body);
      const isField = /^[A-Z]/.test(name);
      if (isField) expect(JSON.stringify(all), `${name} ${value}`).toContain(`"${name}":"${value}"`);
    }
  }
});

describe("states that follow from others", () => {
  const operation = (id: string) => operationsOf(document).find((one) => one.operationId === id) as NamedOperation;
  const bodyIn = async (id: string, states: object) => (await ask(operation(id), states)).body;

  it("an entity whose set-up isn't complete gets no permit", async () => {
    const states = { EntitySetupState: "in-review" };
    expect(await bodyIn("POST:participation.ListAvailableEntities", states)).toMatchObject({
      Entities: [{ EntitySetupState: "in-review", SaleEligibility: "unknown-setup-incomplete" }],
    });
    expect(await bodyIn("POST:participation.PrePurchaseCheck", states)).toMatchObject({ FailureReason: "unknown" });
    expect(await bodyIn("POST:participation.GenerateSalePurchasePermit", states)).toEqual({
      code: "failed_precondition",
      message: "There is no permit now: unknown.",
      details: { FailureReason: "unknown", LivenessCheckURL: "" },
    });
  });

  it("a liveness check has an address, and no other reason has", async () => {
    const check = (FailureReason: string) => bodyIn("POST:externalapi.PrePurchaseCheck", { FailureReason });
    expect(await check("requires-liveness")).toMatchObject({ LivenessCheckURL: expect.stringMatching(/^https:/) });
    expect(await check("wallet-risk")).toMatchObject({ ReadyToPurchase: false, LivenessCheckURL: "" });
  });

  it("a sale that is over takes no bids and has a history of investments", async () => {
    const states = { Stage: "done" };
    expect(await bodyIn("GET:sales.Sale", states)).toMatchObject({ Status: "settled", Stage: "done", SaleUUID: SALE });
    expect(await bodyIn("POST:externalapi.PrePurchaseCheck", states)).toMatchObject({
      FailureReason: "sale-not-active",
    });
    expect(await bodyIn("POST:externalapi.ReadEntityInvestmentHistory", {})).toEqual({ Investments: [] });
    expect(await bodyIn("POST:externalapi.ReadEntityInvestmentHistory", states)).not.toEqual({ Investments: [] });
  });

  it("a user without an entity, and one with several, get an error that says so", async () => {
    expect(await bodyIn("POST:externalapi.MyProfile", { entities: "none" })).toMatchObject({ EntityID: "" });
    expect((await ask(operation("POST:externalapi.Limits"), { entities: "none" })).status).toBe(404);
    const read = operation("POST:externalapi.ReadEntity");
    const unnamed = {
      ...read,
      requestBody: { content: { "application/json": { schema: {}, example: { SaleUUID: SALE } } } },
    };
    expect((await ask(unnamed, { entities: "several" })).body).toMatchObject({ code: "invalid_argument" });
    expect((await ask(unnamed)).status).toBe(200);
  });

  it("a sale at a fixed price has no demand and no clearing price", async () => {
    const states = { Pricing: "fixed" };
    expect((await ask(operation("GET:sales.Demand"), states)).status).toBe(404);
    const all = [
      await bodyIn("POST:sales.ReadCommitmentDataV2", states),
      await bodyIn("POST:sales.ReadPosition", states),
      await bodyIn("GET:sales.History", states),
    ];
    expect(JSON.stringify(all)).not.toContain("Clearing");
  });

  it("figures that stand still say why", async () => {
    const sale = await bodyIn("POST:sales.ReadSale", { feed: "standing-still" });
    expect(sale).toMatchObject({ Fault: expect.stringContaining("can't be read"), BehindSeconds: 120 });
  });
});

it("answers a path that browsers never send", async () => {
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const { hostname, port } = new URL(mock.url);
    const answered = (answer: IncomingMessage) => resolve(answer.resume().statusCode);
    get({ hostname, port, path: "/\\[" }, answered).on("error", reject);
  });
  expect(status).toBe(404);
});
