import { OPERATIONS, type Operation, pathsOf } from "../public-calls/operations.ts";
import { callErrors, callRefusal } from "./call-responses.ts";
import { ACCESS_TOKEN_SCHEME, BOUND_TOKEN_SCHEME, OAUTH_SCHEME } from "./oauth-operations.ts";
import * as examples from "./public-call-examples.ts";
import { jsonExamples, jsonResponse } from "./responses.ts";
import { type Json, ref } from "./schema-parts.ts";

type RootPath = (typeof OPERATIONS)[number]["rootPath"];

/** The description of an operation in the document. */
interface Description {
  readonly summary: string;
  readonly description: string;
  readonly request: { readonly schema: string; readonly example: Json };
  readonly answers: Json;
}

const COMMON = [413, 415, 429, 500, 503, 504] as const;
const USER_ERRORS = callErrors(400, 401, 403, ...COMMON);
const WITH_NOT_FOUND = callErrors(400, 401, 403, 404, ...COMMON);

const REFUSED_PERMIT = callRefusal(
  "The check fails (`failed_precondition`): `details` has `FailureReason` and `LivenessCheckURL` of `pre-purchase-check`. Or the body isn't well-formed (`invalid_argument`): `details.violations` names field and rule.",
  { refused: { summary: "The check fails", value: examples.REFUSED_PERMIT_EXAMPLE } },
);

const REFUSED_TOKENS = callRefusal(
  "The request is invalid; `details.error` is OAuth's code. With `invalid_grant`, send the user through authorize again.",
  { refused: { summary: "The code or token is good no more", value: examples.REFUSED_TOKENS_EXAMPLE } },
);

const DESCRIPTIONS: Readonly<Record<RootPath, Description>> = {
  "/externalapi.MyProfile": {
    summary: "Who the user is",
    description: "The earliest entity, and the e-mail address while the user grants it.",
    request: { schema: "NoFields", example: {} },
    answers: { 200: jsonResponse("The user.", "Profile", examples.PROFILE_EXAMPLE), ...USER_ERRORS },
  },
  "/externalapi.ListAvailableEntities": {
    summary: "The user's entities",
    description: "All that the user lets the application see.",
    request: { schema: "SaleRequest", example: examples.SALE_REQUEST_EXAMPLE },
    answers: {
      200: jsonExamples("The entities.", "Entities", examples.ENTITIES_EXAMPLES),
      ...USER_ERRORS,
    },
  },
  "/externalapi.ReadEntity": {
    summary: "One entity of the user",
    description:
      "By its ID or by a wallet. A request that names neither gets the only one; with several it is refused as `invalid_argument`.",
    request: { schema: "EntityRequest", example: examples.ENTITY_REQUEST_EXAMPLE },
    answers: {
      200: jsonResponse("The entity.", "OneEntity", { Entity: examples.ENTITY_EXAMPLE }),
      ...WITH_NOT_FOUND,
    },
  },
  "/externalapi.PrePurchaseCheck": {
    summary: "Whether an entity could get a permit now",
    description: "The same check as `generate-purchase-permit` makes; it changes nothing.",
    request: { schema: "PurchaseRequest", example: examples.PURCHASE_REQUEST_EXAMPLE },
    answers: {
      200: jsonExamples("The result, which may be a reason against it.", "PurchaseCheck", examples.CHECK_EXAMPLES),
      ...WITH_NOT_FOUND,
    },
  },
  "/externalapi.GenerateSalePurchasePermit": {
    summary: "A purchase permit",
    description:
      "Signed for the sale's contract, for one wallet, valid for ten minutes. It binds the wallet to the entity in this sale.",
    request: { schema: "PurchaseRequest", example: examples.PURCHASE_REQUEST_EXAMPLE },
    answers: {
      200: jsonResponse("The permit.", "SignedPermit", examples.PERMIT_EXAMPLE),
      ...WITH_NOT_FOUND,
      400: REFUSED_PERMIT,
    },
  },
  "/externalapi.Limits": {
    summary: "How much a wallet's entity may commit",
    description: "The bounds of the entity's total over all its wallets.",
    request: { schema: "LimitsRequest", example: examples.LIMITS_REQUEST_EXAMPLE },
    answers: { 200: jsonResponse("The limits.", "Limits", examples.LIMITS_EXAMPLE), ...WITH_NOT_FOUND },
  },
  "/externalapi.ReadEntityInvestmentHistory": {
    summary: "What the user has committed",
    description: "To the token's own sale, once it is settled.",
    request: { schema: "NoFields", example: {} },
    answers: { 200: jsonResponse("The commitments.", "Investments", examples.INVESTMENTS_EXAMPLE), ...USER_ERRORS },
  },
  "/oauth.ExchangeAuthorizationCodeV2": {
    summary: "Exchange a code, for existing clients",
    description:
      "As the token endpoint, `POST /oauth/token`, does, which is the main operation. The code and its verifier tell the client; an `Authorization` header is ignored.",
    request: { schema: "CodeExchangeCall", example: examples.CODE_EXCHANGE_CALL_EXAMPLE },
    answers: tokenAnswers(),
  },
  "/oauth.RefreshAccessToken": {
    summary: "Refresh, for existing clients",
    description:
      "As the token endpoint, `POST /oauth/token`, does, which is the main operation. The refresh token tells the client; an `Authorization` header is ignored.",
    request: { schema: "RefreshCall", example: examples.REFRESH_CALL_EXAMPLE },
    answers: tokenAnswers(),
  },
};

function tokenAnswers(): Json {
  const tokens = jsonResponse("Tokens.", "CallTokens", examples.CALL_TOKENS_EXAMPLE);
  return { 200: tokens, ...callErrors(...COMMON), 400: REFUSED_TOKENS };
}

/** Returns the paths of the calls for a user. @param prefix first segment of the public paths */
export function publicCallOperations(prefix: string): Json {
  return pathItems(prefix, (operation) => "scope" in operation, "Taking part");
}

/** Returns the paths of the token operations for existing clients, which need no entities service. */
export function tokenOperations(): Json {
  return pathItems("", (operation) => !("scope" in operation), "Sign-in");
}

function pathItems(prefix: string, isWanted: (operation: Operation) => boolean, tag: string): Json {
  const items = OPERATIONS.filter(isWanted).flatMap((operation) =>
    pathsOf(operation, prefix).map((path, _, [mainPath = path]): [string, Json] => [
      path,
      { post: operationObject(operation, { path, mainPath, tag }) },
    ]),
  );
  return Object.fromEntries(items);
}

function securityOf(scope: string): readonly Json[] {
  return [{ [ACCESS_TOKEN_SCHEME]: [] }, { [BOUND_TOKEN_SCHEME]: [] }, { [OAUTH_SCHEME]: [scope] }];
}

function operationIdOf(path: string, rootPath: string): string {
  const name = rootPath.slice(1);
  return `POST:${path === rootPath ? name : name.replace("externalapi.", "participation.")}`;
}

/** Returns sentences about the operation's other path, if it has one. */
function otherPath({ rootPath }: Operation, { path, mainPath }: Place): string {
  if (mainPath === rootPath) return "";
  if (path === mainPath) return ` This is the main path; \`${rootPath}\` is the same for existing clients.`;
  return ` The same as \`${mainPath}\`, which is the main path; this one is for existing clients.`;
}

interface Place {
  readonly path: string;
  readonly mainPath: string;
  readonly tag: string;
}

function operationObject(operation: (typeof OPERATIONS)[number], place: Place): Json {
  const { summary, description, request, answers } = DESCRIPTIONS[operation.rootPath];
  const content = { "application/json": { schema: ref(request.schema), example: request.example } };
  const scope = "scope" in operation ? ` Needs the scope \`${operation.scope}\`.` : "";
  return {
    operationId: operationIdOf(place.path, operation.rootPath),
    tags: [place.tag],
    summary,
    description: description + scope + otherPath(operation, place),
    security: "scope" in operation ? securityOf(operation.scope) : [],
    requestBody: { required: true, description: "16 KiB at most.", content },
    responses: answers,
  };
}
