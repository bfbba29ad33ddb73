import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError, createClient, createRouterTransport, type Interceptor } from "@connectrpc/connect";
import { ServiceError } from "../../common/platform/errors/service-error.ts";
import { toConnectError } from "../../common/platform/rpc/errors.ts";
import { AccountService } from "../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import {
  AuthorizationService,
  type AuthorizationStepSchema,
  ErrorReason,
  type LogoutStepSchema,
  type RequestingClient,
  RequestingClientSchema,
} from "../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { type Client, ClientService, type DaySignIns } from "../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import { type MemberSchema, MembershipService, Role } from "../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import type { AuthClients } from "../web/sessions/auth-dependencies.ts";
import { ACCOUNT, FakeAccounts } from "./fake-accounts.ts";
import { fakeLogos } from "./fake-logos.ts";
import { SQUARE_LOGO, WIDE_LOGO } from "./sample-logos.ts";

/** The `request_uri` of every pushed request. */
export const REQUEST_URI = `urn:ietf:params:oauth:request_uri:${"r".repeat(43)}`;
export const DPOP_NONCE = "n".repeat(43);
export const CLIENT_ID = "22222222-2222-4222-8222-222222222222";

type Step = NonNullable<MessageInitShape<typeof AuthorizationStepSchema>["step"]>;
interface Asked {
  readonly authorizationHandle: string;
  readonly browserToken: string;
  readonly sessionToken: string;
}

/**
 * An auth service in memory, asked through Connect's own client. It knows one client, asks for consent each time, and
 * fails on command.
 */
export class FakeAuth {
  /** Whether the sales require passkeys. */
  passkeysRequired = false;
  /** Members beside the account of the session. */
  otherMembers: readonly MessageInitShape<typeof MemberSchema>[] = [];
  /** Whether the founder signed in without the passkey that the sales require. */
  passkeyMissing = false;
  /** Sales that require none even then. */
  salesWithoutPasskey: readonly string[] = [];
  readonly client: RequestingClient = create(RequestingClientSchema, {
    clientUuid: CLIENT_ID,
    name: "Harbour Portal",
    saleUuid: "11111111-1111-4111-8111-111111111111",
    saleName: "Harbour Token public sale",
    squareLogo: SQUARE_LOGO.hash,
    wideLogo: WIDE_LOGO.hash,
    redirectHost: "app.example",
  });
  readonly accounts = new FakeAccounts(this.client);
  /** Every call with its request. */
  readonly calls: { readonly method: string; readonly message: unknown }[] = [];
  /** Target of the redirect after the decision. */
  redirectUri = "https://app.example/callback";
  /** Whether a signed-in user gets a code without being asked. */
  remembersConsent = false;
  /** Whether the next user who has signed in is asked to choose the account. */
  choosesAccount = false;
  /** Whether applications ask who the user is, with other scopes or alone. */
  identifies: "" | "too" | "only" = "";
  /** The address with which the sign-in page begins, as an application sent it. */
  loginHint = "";
  /** Whether the ID token that comes with a sign-out is about another user. */
  meansOtherUser = false;
  /** Whether the users of all authorizations took too long. */
  hasExpired = false;
  /** Role of the account in every sale. */
  role: Role = Role.OWNER;
  registeredOrigins: readonly string[] = ["https://app.example"];
  /** Error that the endpoints of applications answer in place of success. */
  oauthError: { readonly error: string; readonly errorDescription: string } | undefined;
  /** Error with which every call fails while it is set. */
  failure: ConnectError | undefined;
  /** Errors by the method that fails with them. */
  readonly failures = new Map<string, ConnectError>();
  /** The sales of which the account is a member, and the applications and sign-ins of each of them. */
  sales: readonly string[] = [];
  saleClients: readonly Client[] = [];
  signInDays: readonly DaySignIns[] = [];
  /** Authorizations under way: the browser of each, by handle. */
  readonly #browsers = new Map<string, string>();
  readonly #answered = new Set<string>();

  readonly clients: AuthClients = this.#connect();

  /** Returns the requests of a method, the last one first. */
  asked(method: string): readonly unknown[] {
    return this.calls
      .filter((call) => call.method === method)
      .map(({ message }) => message)
      .toReversed();
  }

  #connect(): AuthClients {
    const noting: Interceptor = (next) => async (request) => {
      this.calls.push({ method: request.method.name, message: request.stream ? undefined : request.message });
      const failure = this.failure ?? this.failures.get(request.method.name);
      if (failure !== undefined) throw failure;
      return next(request);
    };
    const transport = createRouterTransport(
      ({ service }) => {
        service(AccountService, this.accounts.methods);
        service(AuthorizationService, {
          beginAuthorization: (request) => ({ step: { step: this.#begin(request) } }),
          continueAuthorization: (request) => ({ step: { step: this.#stepAt(request) } }),
          decideConsent: (request) => ({ step: { step: this.#decide(request, request.approve) } }),
          chooseAccount: (request) => {
            this.choosesAccount = false;
            return { step: { step: this.#stepAt(request) } };
          },
          beginLogout: (request) => ({ step: { step: this.#logout(request) } }),
          completeLogout: ({ sessionToken, endsAllTokens, endsClientTokens, postLogoutRedirectUri, state }) => {
            const tokensEnded = this.accounts.sessions.delete(sessionToken) && (endsAllTokens || endsClientTokens);
            if (postLogoutRedirectUri === "") return { tokensEnded };
            return { tokensEnded, returnUrl: `${postLogoutRedirectUri}?${new URLSearchParams({ state })}` };
          },
          issueTokens: () => ({ result: this.#tokens() }),
          batchIssueTokens: ({ requests }) => ({ answers: requests.map(() => ({ result: this.#tokens() })) }),
          pushAuthorizationRequest: () => ({
            result: this.#orError({ case: "pushed", value: { requestUri: REQUEST_URI, expiresInSeconds: 60 } }),
          }),
          revokeToken: () => (this.oauthError === undefined ? {} : { error: this.oauthError }),
          introspectOwnToken: () =>
            this.oauthError === undefined ? {} : { result: { case: "error", value: this.oauthError } },
          getUserInfo: () => ({
            result: this.#orError({ case: "userInfo", value: { subject: "pairwise", email: this.accounts.email } }),
          }),
          getDpopNonce: () => ({ nonce: DPOP_NONCE }),
          getJwks: () => ({ jwksJson: JSON.stringify({ keys: [] }) }),
          checkOrigin: ({ origin }) => ({ registered: this.registeredOrigins.includes(origin) }),
        });
        service(ClientService, {
          getLogo: fakeLogos,
          listClients: () => ({ clients: [...this.saleClients] }),
          listClientSummaries: ({ saleUuids }) => ({
            sales: saleUuids.map((saleUuid) => ({ saleUuid, clients: this.saleClients.map(summaryOf) })),
          }),
          countSignIns: ({ saleUuids }) => ({
            sales: saleUuids.map((saleUuid) => ({ saleUuid, days: [...this.signInDays] })),
          }),
        });
        service(MembershipService, {
          listMembers: () => {
            if (this.passkeyMissing) throw passkeyRefusal();
            const { email, passkeys } = this.accounts;
            const hasPasskey = passkeys.passkeys.length > 0;
            return {
              members: [{ accountUuid: ACCOUNT, email, role: this.role, hasPasskey }, ...this.otherMembers],
              passkeysRequired: this.passkeysRequired,
            };
          },
          setSalePasskeyRule: ({ required }) => {
            this.passkeysRequired = required;
            return {};
          },
          listMemberships: () => ({
            memberships: this.sales.map((saleUuid) => ({
              saleUuid,
              role: this.role,
              passkeyMissing: this.passkeyMissing && !this.salesWithoutPasskey.includes(saleUuid),
            })),
          }),
          checkRole: ({ role }) => {
            if (this.role < role) throw new ConnectError("the role is too low", Code.PermissionDenied);
            return {};
          },
        });
      },
      { transport: { interceptors: [noting] } },
    );
    return {
      accounts: createClient(AccountService, transport),
      authorization: createClient(AuthorizationService, transport),
      clients: createClient(ClientService, transport),
      memberships: createClient(MembershipService, transport),
    };
  }

  #tokens() {
    return this.#orError({ case: "tokens" as const, value: TOKENS });
  }

  #orError<Success>(success: Success) {
    return this.oauthError === undefined ? success : { case: "error" as const, value: this.oauthError };
  }

  #begin(request: {
    readonly parameters: readonly { readonly name: string; readonly value: string }[];
    readonly browserToken: string;
    readonly sessionToken: string;
  }): Step {
    const parameter = (wanted: string) => request.parameters.find(({ name }) => name === wanted)?.value;
    if (parameter("client_id") !== CLIENT_ID) return errorStep(ErrorReason.UNTRUSTED, "unknown client_id");
    if (parameter("code_challenge") === undefined) {
      const redirectUrl = `${this.redirectUri}?error=invalid_request&iss=https%3A%2F%2Fauth.example`;
      const { client } = this;
      return {
        case: "error",
        value: { ...errorStep(ErrorReason.REFUSED, "code_challenge is missing").value, client, redirectUrl },
      };
    }
    const authorizationHandle = `authorization-${this.#browsers.size + 1}`;
    this.#browsers.set(authorizationHandle, request.browserToken);
    return this.#stepAt({ ...request, authorizationHandle });
  }

  #stepAt({ authorizationHandle, browserToken, sessionToken }: Asked): Step {
    const { client } = this;
    const browser = this.#browsers.get(authorizationHandle);
    if (browser === undefined) return errorStep(ErrorReason.EXPIRED, "the request is over");
    if (browser !== browserToken) return errorStep(ErrorReason.OTHER_BROWSER, "begun in another browser");
    if (this.hasExpired) {
      const redirectUrl = `${this.redirectUri}?error=access_denied`;
      return { case: "error", value: { ...errorStep(ErrorReason.EXPIRED, "over").value, client, redirectUrl } };
    }
    if (this.#answered.has(authorizationHandle)) return errorStep(ErrorReason.ANSWERED, "already decided");
    if (!this.accounts.sessions.has(sessionToken)) {
      return { case: "signIn", value: { authorizationHandle, client, loginHint: this.loginHint } };
    }
    if (this.choosesAccount) {
      const { email } = this.accounts;
      return { case: "chooseAccount", value: { authorizationHandle, client, accountUuid: ACCOUNT, email } };
    }
    if (this.remembersConsent) {
      this.#answered.add(authorizationHandle);
      return { case: "redirect", value: { url: `${this.redirectUri}?code=the-code` } };
    }
    const identifies = this.identifies !== "";
    const all = [
      { scope: "read_entities", required: true, granted: true },
      { scope: "sale_eligibility_check", required: true, granted: true },
      { scope: "contact_email", required: false, granted: false },
    ];
    const { email } = this.accounts;
    const scopes = this.identifies === "only" ? [] : all;
    return { case: "consent", value: { authorizationHandle, client, accountUuid: ACCOUNT, email, scopes, identifies } };
  }

  #logout(request: {
    readonly parameters: readonly { readonly name: string; readonly value: string }[];
    readonly sessionToken: string;
  }): NonNullable<MessageInitShape<typeof LogoutStepSchema>["step"]> {
    const parameter = (wanted: string) => request.parameters.find(({ name }) => name === wanted)?.value ?? "";
    const [postLogoutRedirectUri, state] = [parameter("post_logout_redirect_uri"), parameter("state")];
    if (postLogoutRedirectUri !== "" && postLogoutRedirectUri !== LOGOUT_URI) {
      const errorDescription = "post_logout_redirect_uri must be one of the registered, as an exact string";
      return { case: "error", value: { error: "invalid_request", errorDescription } };
    }
    const client = request.parameters.some(({ name }) => name !== "state") ? { client: this.client } : {};
    if (!this.accounts.sessions.has(request.sessionToken)) {
      return { case: "signedOut", value: { ...client, returnUrl: postLogoutRedirectUri } };
    }
    const { email } = this.accounts;
    return {
      case: "confirm",
      value: { ...client, postLogoutRedirectUri, state, email, otherUser: this.meansOtherUser },
    };
  }

  #decide(request: Asked, approve: boolean): Step {
    const step = this.#stepAt(request);
    if (step.case !== "consent") return step;
    this.#answered.add(request.authorizationHandle);
    const answer = approve ? "code=the-code" : "error=access_denied";
    return { case: "redirect", value: { url: `${this.redirectUri}?${answer}` } };
  }
}

/** The one registered post-logout redirect URI. */
export const LOGOUT_URI = "https://app.example/signed-out";

const TOKENS = {
  accessToken: "access",
  expiresInSeconds: 900,
  refreshToken: "refresh",
  scope: "read_entities sale_eligibility_check",
};

function errorStep(reason: ErrorReason, errorDescription: string) {
  return { case: "error" as const, value: { reason, error: { error: "invalid_request", errorDescription } } };
}

function summaryOf({ uuid: clientUuid, definition, obstacles, openingRequirements }: Client) {
  return { clientUuid, name: definition?.name ?? "", obstacles, openingRequirements };
}

/** The refusal of an owner or editor who signed in without a passkey. */
function passkeyRefusal(): ConnectError {
  const message = "the sale requires its owners and editors to sign in with a passkey";
  const violations = [{ field: "", rule: "sale.passkey_required", message }];
  return toConnectError(new ServiceError("failed_precondition", message, { violations }), () => {});
}
