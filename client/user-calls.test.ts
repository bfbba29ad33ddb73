import { expect, it } from "vitest";
import { OPERATIONS } from "../gateway/public-calls/operations.ts";
import { fakeFetch, json } from "./testing/fake-fetch.ts";
import { UserCalls } from "./user-calls.ts";

const SaleUUID = "11111111-1111-4111-8111-111111111111";
const bid = { SaleUUID, EntityID: "e", PurchasingWalletAddress: "0x1" };

it("has every operation for a user, by the path that the gateway has for it", async () => {
  const { fetch, requests } = fakeFetch(json({}));
  const user = new UserCalls({ url: "https://tidemark.example", fetch }, "token");
  await user.myProfile();
  await user.listAvailableEntities(SaleUUID);
  await user.readEntity({ SaleUUID });
  await user.prePurchaseCheck(bid);
  await user.generatePurchasePermit(bid);
  await user.limits({ SaleUUID, WalletAddress: "0x1" });
  await user.investmentHistory();
  const segments = OPERATIONS.flatMap((operation) => ("segment" in operation ? [operation.segment] : []));
  expect(requests.map(({ url }) => url)).toEqual(segments.map((name) => `https://tidemark.example/svc/v1/${name}`));
  const limits = { SaleUUID, WalletAddress: "0x1" };
  expect(requests.map(({ body }) => JSON.parse(body))).toEqual([{}, { SaleUUID }, { SaleUUID }, bid, bid, limits, {}]);
  expect(new Set(requests.map(({ headers }) => headers.get("authorization")))).toEqual(new Set(["Bearer token"]));
});

it("asks for the present token at each call", async () => {
  const { fetch, requests } = fakeFetch(json({}));
  const tokens = ["first", "second"];
  const user = new UserCalls({ url: "https://tidemark.example", fetch }, async () => tokens.shift() ?? "");
  await user.myProfile();
  await user.myProfile();
  expect(requests.map(({ headers }) => headers.get("authorization"))).toEqual(["Bearer first", "Bearer second"]);
});

it("throws why there is no permit", async () => {
  const details = { FailureReason: "wallet-risk", LivenessCheckURL: "" };
  const { fetch } = fakeFetch(json({ code: "failed_precondition", message: "no", details }, 400));
  const permit = new UserCalls({ url: "https://tidemark.example", fetch }, "token").generatePurchasePermit(bid);
  await expect(permit).rejects.toMatchObject({ code: "failed_precondition", details, status: 400 });
});
