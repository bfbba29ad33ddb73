import { type CallHandler, userCall } from "./call.ts";
import { generatePurchasePermit, limits, prePurchaseCheck } from "./eligibility-calls.ts";
import { investmentHistory, listAvailableEntities, myProfile, readEntity } from "./entity-calls.ts";
import { exchangeCode, refreshTokens } from "./token-calls.ts";

/** The scope that the user must have granted for a call. The entities service checks it. */
export type CallScope = "read_entities" | "sale_eligibility_check";

/** An operation that applications call. */
export interface Operation {
  /** The path at the root, where existing clients call it. */
  readonly rootPath: string;
  /** The last segment of its path below `/{prefix}/v1/`; absent for an operation that is at the root only. */
  readonly segment?: string;
  /** Absent for an operation without an access token. */
  readonly scope?: CallScope;
  readonly handle: CallHandler;
}

/** Every operation with its paths, scope and handler. The router and the OpenAPI document list what is here. */
export const OPERATIONS = [
  {
    rootPath: "/externalapi.MyProfile",
    segment: "my-profile",
    scope: "read_entities",
    handle: userCall(myProfile),
  },
  {
    rootPath: "/externalapi.ListAvailableEntities",
    segment: "list-available-entities",
    scope: "read_entities",
    handle: userCall(listAvailableEntities),
  },
  {
    rootPath: "/externalapi.ReadEntity",
    segment: "read-entity",
    scope: "read_entities",
    handle: userCall(readEntity),
  },
  {
    rootPath: "/externalapi.PrePurchaseCheck",
    segment: "pre-purchase-check",
    scope: "sale_eligibility_check",
    handle: userCall(prePurchaseCheck),
  },
  {
    rootPath: "/externalapi.GenerateSalePurchasePermit",
    segment: "generate-purchase-permit",
    scope: "sale_eligibility_check",
    handle: userCall(generatePurchasePermit),
  },
  {
    rootPath: "/externalapi.Limits",
    segment: "limits",
    scope: "sale_eligibility_check",
    handle: userCall(limits),
  },
  {
    rootPath: "/externalapi.ReadEntityInvestmentHistory",
    segment: "investment-history",
    scope: "read_entities",
    handle: userCall(investmentHistory),
  },
  { rootPath: "/oauth.ExchangeAuthorizationCodeV2", handle: exchangeCode },
  { rootPath: "/oauth.RefreshAccessToken", handle: refreshTokens },
] as const satisfies readonly Operation[];

/** Returns every path of an operation. @param prefix first segment of the public paths */
export function pathsOf({ rootPath, segment }: Operation, prefix: string): readonly string[] {
  return segment === undefined ? [rootPath] : [`/${prefix}/v1/${segment}`, rootPath];
}
