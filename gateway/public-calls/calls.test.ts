import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FailureReason } from "../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import {
  EntityType,
  InvestingRegion,
  SaleEligibility,
  SetupState,
} from "../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { type AuthGateway, startAuthGateway } from "../testing/auth-gateway.ts";
import { SALE } from "../testing/fake-commitments.ts";
import { ACCESS_TOKEN, ENTITY_UUID, FakeEntities, WALLET } from "../testing/fake-entities.ts";
import { CHECK, callErrorOf, ISSUE, PURCHASE, READ, SPELLINGS, sendCall } from "../testing/sample-calls.ts";
import { OPERATIONS, pathsOf } from "./operations.ts";
import { FAILURE_REASONS } from "./public-names.ts";

let gateway: AuthGateway;
let entities: FakeEntities;
beforeEach(async () => {
  entities = new FakeEntities();
  gateway = await startAuthGateway({}, undefined, entities.clients);
});
afterEach(() => gateway.stop());

const send = (path: string, body: unknown, headers?: Readonly<Record<string, string>>) =>
  sendCall(gateway, path, body, headers);

describe("the calls for a user", () => {
  it("are those of the table, each at two paths", () => {
    const paths = OPERATIONS.filter((operation) => "scope" in operation).flatMap((call) => pathsOf(call, "svc"));
    expect(SPELLINGS.map(({ path }) => path)).toEqual(paths);
  });

  it.each(SPELLINGS)("answer $path", async ({ path, body, answer }) => {
    const response = await send(path, body);
    expect([response.status, await response.json()]).toStrictEqual([200, answer]);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(entities.calls.at(-1)?.message).toMatchObject({ access: { accessToken: ACCESS_TOKEN } });
  });

  it.each(["Bearer", "bearer", "api:Bearer", "API:bearer"])("take the scheme %s", async (scheme) => {
    expect((await send(CHECK, PURCHASE, { authorization: `${scheme} ${ACCESS_TOKEN}` })).status).toBe(200);
  });

  it("ignore unknown fields, and take the last of a field that comes twice", async () => {
    const body = `{"SaleUUID":"x","More":{"a":[1]},"__proto__":{"b":1},${JSON.stringify(PURCHASE).slice(1)}`;
    expect((await send(CHECK, body)).status).toBe(200);
  });

  it("give IDs in canonical form to the service", async () => {
    await send(READ, { SaleUUID: SALE.toUpperCase(), EntityID: ENTITY_UUID.toUpperCase(), WalletAddress: WALLET });
    expect(entities.calls[0]?.message).toMatchObject({ saleUuid: SALE, entityUuid: ENTITY_UUID, wallet: WALLET });
  });

  it("leave out the e-mail address that isn't granted", async () => {
    entities.scopes = ["read_entities"];
    expect(await (await send("/externalapi.MyProfile", {})).json()).toStrictEqual({ EntityID: ENTITY_UUID });
  });

  it("have a public name for every state of an entity", async () => {
    const seen = async (field: "type" | "setupState" | "eligibility" | "region", values: object) => {
      const numbers = Object.values(values).filter((value) => typeof value === "number" && value > 0);
      const names = [];
      for (const value of numbers) {
        entities.entity = { ...entities.entity, [field]: value };
        names.push(Object.values((await (await send(READ, { SaleUUID: SALE })).json()).Entity));
      }
      return names;
    };
    expect((await seen("type", EntityType)).map((entity) => entity[3])).toEqual(["user", "organization"]);
    expect((await seen("setupState", SetupState)).map((entity) => entity[4])).toEqual([
      "not-started",
      "in-progress",
      "ready-for-review",
      "in-review",
      "failure",
      "failure-final",
      "technical-issue",
      "complete",
    ]);
    expect((await seen("eligibility", SaleEligibility)).map((entity) => entity[5])).toEqual([
      "eligible",
      "not-eligible",
      "unknown-setup-incomplete",
    ]);
    expect((await seen("region", InvestingRegion)).map((entity) => entity[6])).toEqual([
      "unknown",
      "other",
      "us",
      "eu",
    ]);
  });
});

describe("a failing check", () => {
  const reasons = Object.values(FailureReason).filter((value) => typeof value === "number" && value > 0);

  it.each(reasons as FailureReason[])(
    "with reason %s has all its fields, and refuses the permit with them",
    async (reason) => {
      entities.refusal = reason;
      const name = FAILURE_REASONS.get(reason) ?? expect.fail();
      entities.livenessUrl = name === "requires-liveness" ? "https://identity.example/l" : "";
      const failure = { FailureReason: name, LivenessCheckURL: entities.livenessUrl };
      const checked = await send(CHECK, PURCHASE);
      expect([checked.status, await checked.json()]).toStrictEqual([200, { ReadyToPurchase: false, ...failure }]);
      expect(await callErrorOf(send(ISSUE, PURCHASE))).toMatchObject({
        status: 400,
        code: "failed_precondition",
        details: failure,
      });
    },
  );

  it("has the seven names that existing clients know", () => {
    expect([...FAILURE_REASONS.values()].toSorted()).toEqual(
      [
        "unknown",
        "wallet-risk",
        "max-wallets-used",
        "requires-liveness",
        "sale-not-active",
        "wallet-not-linked",
        "outside-time-window",
      ].toSorted(),
    );
  });
});

it("never rounds a number of a permit", async () => {
  entities.permitPrice = 2n ** 53n - 1n;
  expect((await (await send(ISSUE, PURCHASE)).json()).PermitJSON.MaxPrice).toBe(2 ** 53 - 1);
  entities.permitPrice = 2n ** 53n;
  expect(await callErrorOf(send(ISSUE, PURCHASE))).toMatchObject({ status: 500, code: "internal" });
});
