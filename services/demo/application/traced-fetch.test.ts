import { afterEach, expect, it, vi } from "vitest";
import { fakeFetch, json } from "../../../client/testing/fake-fetch.ts";
import { type TracedCall, tracedFetch } from "./traced-fetch.ts";

const URL_OF_CALL = "https://tidemark.example/svc/v1/limits";
const TOKEN = "t".repeat(200);

afterEach(() => {
  vi.unstubAllGlobals();
});

async function trace(init: RequestInit): Promise<TracedCall> {
  vi.stubGlobal("fetch", fakeFetch(json({ code: "not_found" }, 404)).fetch);
  const calls: TracedCall[] = [];
  const response = await tracedFetch((call) => calls.push(call))(URL_OF_CALL, init);
  expect(await response.json()).toEqual({ code: "not_found" });
  return calls[0] ?? expect.fail("nothing was recorded");
}

/** Sends a request by the code that was shown. */
async function resend({ fetchCode = "" }: TracedCall) {
  const { fetch, requests } = fakeFetch(json({}));
  const AsyncFunction = Object.getPrototypeOf(resend).constructor;
  await AsyncFunction("fetch", "accessToken", fetchCode)(fetch, TOKEN);
  return requests[0];
}

it("shows a request with its answer, without the whole token, and code that sends the same", async () => {
  const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };
  const call = await trace({ method: "POST", headers, body: '{"SaleUUID":"s","Wallet":"w"}' });
  expect(call.request).toContain(`POST ${URL_OF_CALL}\nauthorization: Bearer tttttttttttttttttttttttt…\n`);
  expect(call.request).toContain('"SaleUUID": "s"');
  expect(call.answer).toContain('404\ncontent-type: application/json\n\n{\n  "code": "not_found"');
  expect(call.fetchCode).not.toContain(TOKEN);
  const again = await resend(call);
  expect([again?.url, again?.method, JSON.parse(again?.body ?? "")]).toEqual([
    URL_OF_CALL,
    "POST",
    { SaleUUID: "s", Wallet: "w" },
  ]);
  expect(Object.fromEntries(again?.headers ?? [])).toEqual(headers);
});

it("shows a form with a line for each field, and code that sends the same", async () => {
  const call = await trace({
    method: "POST",
    body: new URLSearchParams({ grant_type: "refresh_token", token: "a b" }),
  });
  expect(call.request).toBe(`POST ${URL_OF_CALL}\n\ngrant_type=refresh_token\n&token=a+b`);
  expect((await resend(call))?.body).toBe("grant_type=refresh_token&token=a+b");
});
