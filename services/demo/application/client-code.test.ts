import { afterEach, expect, it, vi } from "vitest";
import * as client from "../../../client/index.ts";
import { eventText, fakeFetch, json, stream } from "../../../client/testing/fake-fetch.ts";
import { CLIENT_CODE } from "./client-code.ts";

const APPLICATION = {
  issuer: "https://tidemark.example",
  clientId: "22222222-2222-4222-8222-222222222222",
  redirectUri: "https://app.example/callback",
};
const server = { url: "https://tidemark.example" };
const tokens = { access_token: "access", refresh_token: "refresh" };
const IMPORT = /^import \{.*\} from "tidemark-client";\n/;

afterEach(() => {
  vi.unstubAllGlobals();
});

/** Runs code with the client's exports and the names that it uses. @returns paths of its requests, and what it shows */
async function run(code: string, answer: Response) {
  const { fetch, requests } = fakeFetch(answer);
  vi.stubGlobal("fetch", fetch);
  const leaving = new AbortController();
  const seen: unknown[] = [];
  const see = (value: unknown) => {
    seen.push(value);
    leaving.abort();
  };
  const names = {
    ...client,
    ...{ application: APPLICATION, server, leaving, show: see, explain: see, tokens },
    ...{ SaleUUID: "sale", EntityID: "entity", wallet: "0xAB", attempt: { state: "s", codeVerifier: "v" } },
    user: new client.UserCalls(server, "access"),
    addressOfCallback: "https://app.example/callback?code=c&state=s&iss=https://tidemark.example",
  };
  // The code declares some of the names anew.
  const used = Object.entries(names).filter(([name]) => !new RegExp(`const ${name} =`).test(code));
  const AsyncFunction = Object.getPrototypeOf(run).constructor;
  const body = code.replace(IMPORT, "");
  await AsyncFunction(...used.map(([name]) => name), body)(...used.map(([, value]) => value));
  return { requests: requests.map(({ url }) => url.replace(server.url, "")), body: requests[0]?.body, seen };
}

it.each([
  ["exchange", "/oauth/token", json(tokens)],
  ["refresh", "/oauth/token", json(tokens)],
  ["revoke", "/oauth/revoke", new Response("")],
  ["entities", "/svc/v1/list-available-entities", json({ Entities: [] })],
  ["check", "/svc/v1/pre-purchase-check", json({ ReadyToPurchase: true })],
  ["permit", "/svc/v1/generate-purchase-permit", json({})],
  ["limits", "/svc/v1/limits", json({})],
  ["position", "/svc/v1/public/read-position", json({ Commitments: [] })],
] as const)("the code for %s sends one request, to %s", async (name, path, answer) => {
  expect((await run(CLIENT_CODE[name], answer)).requests).toEqual([path]);
});

it("the code for a check explains a failure", async () => {
  const answer = json({ ReadyToPurchase: false, FailureReason: "wallet-risk" });
  expect((await run(CLIENT_CODE.check, answer)).seen).toEqual(["wallet-risk"]);
});

it("the code for the position shows how the bid counts", async () => {
  const outcome = { Counted: true, ClearingOutcome: "in" };
  const { seen } = await run(CLIENT_CODE.position, json({ Commitments: [{ CommitmentID: "0x1", ...outcome }] }));
  expect(seen).toEqual([outcome]);
});

it("the code for the arrival shows what the stream brings", async () => {
  const data = { Commitments: [], TotalCommitmentAmount: "1" };
  const { requests, seen } = await run(CLIENT_CODE.arrival, stream(eventText("body", data, "00000000000000aa-1")));
  expect(requests).toEqual(["/svc/v1/public/sales/sale/commitment-data/stream"]);
  expect(seen).toEqual([data]);
});

it("every code is run here", () => {
  expect(Object.keys(CLIENT_CODE)).toHaveLength(9);
});
