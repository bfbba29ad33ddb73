import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { FailureReason } from "../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import {
  EntityType,
  InvestingRegion,
  SaleEligibility,
  SetupState,
} from "../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { SALE } from "../testing/fake-commitments.ts";
import { ENTITY_UUID, PublicCallsSite, WALLET } from "../testing/public-calls-site.ts";
import { CHECK, callErrorOf, ISSUE, PURCHASE, READ, SPELLINGS, sendCall } from "../testing/sample-calls.ts";
import { OPERATIONS, pathsOf } from "./operations.ts";
import { FAILURE_REASONS } from "./public-names.ts";

const ENTITY = {
  entityUuid: ENTITY_UUID,
  saleSpecificEntityId: new Uint8Array(16),
  type: EntityType.PERSON,
  setupState: SetupState.COMPLETE,
  eligibility: SaleEligibility.ELIGIBLE,
  region: InvestingRegion.EU,
};
const PERMIT = {
  saleSpecificEntityId: new Uint8Array(16),
  saleUuid: new Uint8Array(16),
  wallet: WALLET,
  minAmount: "0",
  maxAmount: "1",
  payload: new Uint8Array(32),
};

let site: PublicCallsSite;
beforeAll(async () => {
  site = await PublicCallsSite.start();
});
afterAll(() => site.stop());
beforeEach(() => site.reset());

const send = (path: string, body: unknown, headers?: Readonly<Record<string, string>>) =>
  sendCall(site, path, body, headers);

describe("the calls for a user", () => {
  it("are those of the table, each at two paths", () => {
    const paths = OPERATIONS.filter((operation) => "scope" in operation).flatMap((call) => pathsOf(call, "svc"));
    expect(SPELLINGS.map(({ path }) => path)).toEqual(paths);
  });

  it.each(SPELLINGS)("answer $path", async ({ path, body, answer }) => {
    // The sale takes bids; its investments are listed once it is settled.
    const committedAt = timestampFromMs(Date.UTC(2026, 10, 20, 19, 42, 1));
    const investments = [{ saleName: "Harbour Token", committedAt }];
    site.gateway.entities.faults.answers.set("ListInvestments", { investments });
    const response = await send(path, body);
    expect([response.status, await response.json()]).toStrictEqual([200, answer]);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("content-type")).toBe("application/json");
    const [call] = site.gateway.entities.faults.calls;
    expect(call?.message).toMatchObject({ access: { accessToken: site.accessToken } });
  });

  it.each(["Bearer", "bearer", "api:Bearer", "API:bearer"])("take the scheme %s", async (scheme) => {
    expect((await send(CHECK, PURCHASE, { authorization: `${scheme} ${site.accessToken}` })).status).toBe(200);
  });

  it("ignore unknown fields, and take the last of a field that comes twice", async () => {
    const body = `{"SaleUUID":"x","More":{"a":[1]},"__proto__":{"b":1},${JSON.stringify(PURCHASE).slice(1)}`;
    expect((await send(CHECK, body)).status).toBe(200);
  });

  it("give IDs in canonical form to the service", async () => {
    await send(READ, { SaleUUID: SALE.toUpperCase(), EntityID: ENTITY_UUID.toUpperCase(), WalletAddress: WALLET });
    const [call] = site.gateway.entities.faults.calls;
    expect(call?.message).toMatchObject({ saleUuid: SALE, entityUuid: ENTITY_UUID, wallet: WALLET });
  });

  it("leave out the e-mail address that isn't granted", async () => {
    const accessToken = await site.tokenFor(["read_entities"]);
    const answer = await send("/externalapi.MyProfile", {}, { authorization: `Bearer ${accessToken}` });
    expect(await answer.json()).toStrictEqual({ EntityID: ENTITY_UUID });
  });

  it("have a public name for every state of an entity", async () => {
    const { answers } = site.gateway.entities.faults;
    const seen = async (field: "type" | "setupState" | "eligibility" | "region", values: object) => {
      const numbers = Object.values(values).filter((value) => typeof value === "number" && value > 0);
      const names = [];
      for (const value of numbers) {
        answers.set("ReadAvailableEntity", { entity: { ...ENTITY, [field]: value } });
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
      const { answers } = site.gateway.entities.faults;
      const name = FAILURE_REASONS.get(reason) ?? expect.fail();
      const livenessUrl = name === "requires-liveness" ? "https://identity.example/l" : "";
      answers.set("CheckEligibility", { ready: false, failure: reason, livenessUrl });
      answers.set("IssuePermit", { result: { case: "refusal", value: { reason, livenessUrl } } });
      const failure = { FailureReason: name, LivenessCheckURL: livenessUrl };
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
  const issue = (maxPrice: bigint) => {
    const value = { permit: { ...PERMIT, maxPrice }, signature: new Uint8Array(65) };
    site.gateway.entities.faults.answers.set("IssuePermit", { result: { case: "issued", value } });
    return send(ISSUE, PURCHASE);
  };
  expect((await (await issue(2n ** 53n - 1n)).json()).PermitJSON.MaxPrice).toBe(2 ** 53 - 1);
  expect(await callErrorOf(issue(2n ** 53n))).toMatchObject({ status: 500, code: "internal" });
});
