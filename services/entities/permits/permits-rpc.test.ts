import { create } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { CheckAccessResponseSchema } from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { IssuePermitRequestSchema } from "../../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import type { EntitiesContext } from "../base/context.ts";
import { openEntitiesDatabase } from "../testing/entities-database.ts";
import { permitMethods } from "./permits-rpc.ts";

const ID = "11111111-1111-4111-8111-111111111111";
const ACCESS = { accountUuid: ID, clientUuid: ID, saleUuid: ID, email: "a@example.com" };
const REQUEST = create(IssuePermitRequestSchema, { access: { accessToken: "t" }, saleUuid: ID, entityUuid: ID });

/** Calls for the permit of an entity that doesn't exist, by a token of which `auth` says whether it is valid. */
async function calls() {
  const auth = { isValid: true };
  const rates = { counted: [] as string[], isExceeded: false };
  const access = { ...ACCESS, scopes: ["sale_eligibility_check"] };
  const checkAccess = async () => create(CheckAccessResponseSchema, { checks: [auth.isValid ? { access } : {}] });
  const take = async (limit: string) => {
    if (rates.isExceeded) throw new ServiceError("resource_exhausted", "too many");
    rates.counted.push(limit);
  };
  const { issuePermit } = permitMethods({
    database: await openEntitiesDatabase(),
    authorization: { checkAccess },
    permitRates: { take },
  } as unknown as EntitiesContext);
  const call = async () => issuePermit(REQUEST, {} as HandlerContext);
  return { auth, rates, call };
}

describe("issuePermit", () => {
  it("counts each call of a valid token once for its account and once for its sale", async () => {
    const { rates, call } = await calls();
    for (let count = 0; count < 3; count += 1) await expect(call()).rejects.toMatchObject({ code: "not_found" });
    expect(rates.counted).toEqual(Array.from({ length: 3 }, () => ["permit_account", "permit_sale"]).flat());
  });

  it("counts no call of a token that isn't valid any more, however many come at once", async () => {
    const { auth, rates, call } = await calls();
    await expect(call()).rejects.toMatchObject({ code: "not_found" });
    rates.counted.length = 0;
    auth.isValid = false;
    const refused = { status: "rejected", reason: expect.objectContaining({ code: "unauthenticated" }) };
    const results = await Promise.allSettled(Array.from({ length: 20 }, call));
    expect(results).toEqual(results.map(() => refused));
    expect(rates.counted).toEqual([]);
  });

  it("tells a token that isn't valid any more so, whatever the rate of its account", async () => {
    const { auth, rates, call } = await calls();
    await expect(call()).rejects.toMatchObject({ code: "not_found" });
    rates.isExceeded = true;
    await expect(call()).rejects.toMatchObject({ code: "resource_exhausted" });
    auth.isValid = false;
    await expect(call()).rejects.toMatchObject({ code: "unauthenticated" });
  });
});
