import { ACCOUNT_ASSETS } from "./account/base/account-assets.ts";
import type { EntityDependencies } from "./account/entities/entity-dependencies.ts";
import { entityPaths, NEW_ENTITY_PATH } from "./account/entities/entity-paths.ts";
import { existingLinkRoute, existingLinks } from "./account/existing-links.ts";
import { DASHBOARD_ASSETS } from "./dashboard/base/dashboard-assets.ts";
import type { DashboardDependencies } from "./dashboard/base/dashboard-dependencies.ts";
import { inDashboard } from "./dashboard/base/dashboard-page.ts";
import {
  applicationPaths,
  CHECK_PATH,
  EXPORT_ROUTE,
  NEW_SALE_PATH,
  PEOPLE_EXPORT_ROUTE,
  REVIEWS_PATH,
  reviewPath,
  salePaths,
  takingPartPaths,
} from "./dashboard/base/dashboard-paths.ts";
import { redirectBack } from "./dashboard/base/redirect-back.ts";
import { SALES_LINK } from "./dashboard/base/sales-link.ts";
import type { TakingPartDependencies } from "./dashboard/base/taking-part-dependencies.ts";
import type { ExportDependencies } from "./dashboard/files/export-commitments.ts";
import { ImportLimit } from "./dashboard/files/import-limit.ts";
import { chooseAccount, decideConsent } from "./oauth/answer-forms.ts";
import { beginAuthorization, beginAuthorizationByForm, continueAuthorization } from "./oauth/authorize.ts";
import { consentPreview } from "./oauth/consent-preview.ts";
import { endpointRoutes, publishedRoute, serverRoute } from "./oauth/endpoint-route.ts";
import { introspectToken } from "./oauth/introspection.ts";
import { beginLogout, beginLogoutByForm, confirmLogout } from "./oauth/logout.ts";
import { jwksDocument, metadataDocument } from "./oauth/metadata.ts";
import { pushRequest } from "./oauth/push-request.ts";
import { issueTokens, revokeToken } from "./oauth/token.ts";
import { userInfo } from "./oauth/userinfo.ts";
import type { ApiPages } from "./openapi/api-pages.ts";
import { DOCS_PATH, OPENAPI_PATH } from "./openapi/api-paths.ts";
import { VIEWER_PREFIX } from "./openapi/viewer-files.ts";
import { callRoutes } from "./public-calls/call-routes.ts";
import { identityCallbackPath, identityCallbackRoute } from "./public-calls/identity-callbacks.ts";
import type { PositionRead } from "./public-read/position/position-read.ts";
import { publicPaths } from "./public-read/public-paths.ts";
import type { PublicRead } from "./public-read/public-read.ts";
import type { SalePages } from "./sale-page/sale-pages.ts";
import { CODE_SCRIPT } from "./sign-in/code-page.ts";
import { NEXT_CODE_SCRIPT } from "./sign-in/next-code.ts";
import { declineOffer, showOffer } from "./sign-in/offer.ts";
import { askForSignIn, signInByPasskey } from "./sign-in/passkey-sign-in.ts";
import { beginSignIn, completeSignIn, showCode, showSignIn } from "./sign-in/sign-in.ts";
import { showSignedOut, signOut } from "./sign-in/sign-out.ts";
import type { Route, RouteHandler } from "./web/http/dispatch.ts";
import type { ErrorResponder } from "./web/http/error-responder.ts";
import type { AuthContext } from "./web/http/hono-context.ts";
import type { HonoRoute } from "./web/http/hono-routes.ts";
import { LOGOS_PREFIX } from "./web/http/logos-path.ts";
import { type MethodHandlers, publicMethods } from "./web/http/public-methods.ts";
import { ACCOUNT_LINK } from "./web/pages/account-link.ts";
import { assetsRoute } from "./web/pages/file-routes.ts";
import { laterPages } from "./web/pages/later-pages.ts";
import { PAGE_ASSETS } from "./web/pages/page-assets.ts";
import { downloadRoute, missingPageRoute, type PageHandlers, pageRoute } from "./web/pages/page-route.ts";
import { PASSKEY_SCRIPT } from "./web/pages/passkey-form.ts";
import { ASSETS_PREFIX, AUTH_PATHS, DASHBOARD_PATH, GUIDE_PATH } from "./web/sessions/auth-paths.ts";
import { registeredOrigins } from "./web/sessions/cross-origin.ts";
import { DpopRequests } from "./web/sessions/dpop-requests.ts";
import { canHavePasskeys } from "./web/sessions/passkey-host.ts";
import { TokenRequests } from "./web/sessions/token-requests.ts";

/** The surfaces that the routes lead to. */
export interface Surfaces {
  /** First segment of the paths of the public read. */
  readonly pathPrefix: string;
  readonly publicRead: PublicRead;
  readonly positions: PositionRead;
  readonly stream: RouteHandler;
  /** The logos of applications and sales. */
  readonly logo: RouteHandler;
  readonly salePages: SalePages;
  readonly apiPages: ApiPages;
  readonly errors: ErrorResponder;
  /** Whether a vendor's callbacks about identity checks are taken. */
  readonly takesIdentityCallbacks: boolean;
  /** Sign-in, OAuth, account and export; undefined where the gateway has no auth service. */
  readonly auth?: ExportDependencies;
  /** The founder's pages; undefined where there are none. */
  readonly dashboard?: DashboardDependencies;
}

/** Few processes ever show a page of the dashboard or the account, which have a ninth of all modules. */
const ofDashboard = laterPages(() => import("./dashboard/dashboard-pages.ts"));
const ofAccount = laterPages(() => import("./account/account-pages.ts"));

type GatewayRoute = Route<RouteHandler | HonoRoute>;

/** Returns everything that the public port serves, in the order in which it is tried. */
export function routes(surfaces: Surfaces): readonly GatewayRoute[] {
  const { pathPrefix, auth, publicRead, positions, stream, logo, salePages, apiPages, errors } = surfaces;
  const paths = publicPaths(pathPrefix);
  const open = (handlers: MethodHandlers) => publicMethods(handlers, errors);
  return [
    [paths.read, "public-read", "public", open({ POST: publicRead.post })],
    [paths.commitmentData, "public-read", "public", open({ GET: publicRead.get })],
    [paths.readSale, "public-read", "public", open({ POST: publicRead.postSale })],
    [paths.sale, "public-read", "public", open({ GET: publicRead.getSale })],
    [paths.readPosition, "public-read", "public", open({ POST: positions.post })],
    [paths.stream, "streams", "public", open({ GET: stream })],
    [paths.history, "public-read", "public", open({ GET: publicRead.history })],
    [paths.demand, "public-read", "public", open({ GET: publicRead.demand })],
    [paths.saleScript, "sale-page", "public", salePages.script],
    [paths.saleScriptExtras, "sale-page", "public", salePages.scriptExtras],
    [`${LOGOS_PREFIX}*`, "web", "public", logo],
    ["/sales/*", "sale-page", "public", salePages.page],
    ["/", "sale-page", "public", salePages.home],
    ...(auth === undefined ? [] : authRoutes(auth, surfaces)),
    [OPENAPI_PATH, "openapi", "public", open({ GET: apiPages.document })],
    [DOCS_PATH, "openapi", "public", apiPages.page],
    [`${VIEWER_PREFIX}*`, "openapi", "public", apiPages.file],
  ];
}

function authRoutes(
  auth: ExportDependencies,
  { pathPrefix, logo, salePages, dashboard, takesIdentityCallbacks }: Surfaces,
): readonly GatewayRoute[] {
  const page = (handlers: PageHandlers<ExportDependencies>) => pageRoute(auth, handlers);
  const isSecure = auth.config.authUrl.startsWith("https:");
  const missingAccountPage = { label: AUTH_PATHS.account, link: ACCOUNT_LINK, isSecure };
  const cors = registeredOrigins(auth);
  const endpoint = endpointRoutes(cors, auth);
  const requests = new TokenRequests(auth.clients.authorization);
  const proofs = new DpopRequests(auth);
  const metadata = publishedRoute(metadataDocument(auth), auth);
  const readUserInfo = (c: AuthContext) => userInfo(c, auth, proofs);
  const assets = new Map([
    ...PAGE_ASSETS,
    ...[PASSKEY_SCRIPT, CODE_SCRIPT, NEXT_CODE_SCRIPT].map((script) => [script.path, script] as const),
    ...ACCOUNT_ASSETS,
    ...DASHBOARD_ASSETS,
  ]);
  const links = existingLinks(pathPrefix);
  const founderPage = dashboard ? DASHBOARD_PATH : AUTH_PATHS.account;
  return [
    ...callRoutes(cors, { ...auth, tokenRequests: requests, dpopRequests: proofs }, pathPrefix).map(
      ([path, route]): GatewayRoute => [path, "public-calls", "public", route],
    ),
    ...(takesIdentityCallbacks ? callbackRoutes(auth, pathPrefix) : []),
    [AUTH_PATHS.authorize, "oauth", "auth", page({ GET: beginAuthorization, POST: beginAuthorizationByForm })],
    [AUTH_PATHS.continue, "oauth", "auth", page({ GET: continueAuthorization })],
    [AUTH_PATHS.consent, "oauth", "auth", page({ POST: decideConsent })],
    [AUTH_PATHS.chooseAccount, "oauth", "auth", page({ POST: chooseAccount })],
    [AUTH_PATHS.push, "oauth", "auth", endpoint({ POST: (c) => pushRequest(c, auth, proofs) })],
    [AUTH_PATHS.token, "oauth", "auth", endpoint({ POST: (c) => issueTokens(c, auth, requests, proofs) })],
    [AUTH_PATHS.revoke, "oauth", "auth", endpoint({ POST: (c) => revokeToken(c, auth) })],
    [AUTH_PATHS.introspect, "oauth", "auth", serverRoute((c) => introspectToken(c, auth), auth)],
    [AUTH_PATHS.userinfo, "oauth", "auth", endpoint({ GET: readUserInfo, POST: readUserInfo })],
    [AUTH_PATHS.logout, "oauth", "auth", page({ GET: beginLogout, POST: beginLogoutByForm })],
    [AUTH_PATHS.confirmLogout, "oauth", "auth", page({ POST: confirmLogout })],
    [AUTH_PATHS.metadata, "oauth", "auth", metadata],
    [AUTH_PATHS.openIdConfiguration, "oauth", "auth", metadata],
    [AUTH_PATHS.jwks, "oauth", "auth", publishedRoute(jwksDocument(auth), auth)],
    [AUTH_PATHS.signIn, "account", "auth", page({ GET: showSignIn, POST: beginSignIn })],
    [AUTH_PATHS.code, "account", "auth", page({ GET: showCode, POST: completeSignIn })],
    ...passkeyRoutes(auth),
    [
      AUTH_PATHS.recoveryByPass,
      "account",
      "auth",
      page({ GET: ofAccount("showRecoveryByPass"), POST: ofAccount("changeRecoveryByPass") }),
    ],
    [
      AUTH_PATHS.recovery,
      "account",
      "auth",
      page({ GET: ofAccount("showRecovery"), POST: ofAccount("changeRecovery") }),
    ],
    [
      AUTH_PATHS.passkeyRule,
      "account",
      "auth",
      page({ GET: ofAccount("showPasskeyRule"), POST: ofAccount("setPasskeyRule") }),
    ],
    [AUTH_PATHS.signOut, "account", "auth", page({ POST: signOut })],
    [AUTH_PATHS.signedOut, "account", "auth", page({ GET: showSignedOut })],
    [AUTH_PATHS.account, "account", "auth", page({ GET: ofAccount("showAccount") })],
    [AUTH_PATHS.endSession, "account", "auth", page({ POST: ofAccount("endSession") })],
    [AUTH_PATHS.endOtherSessions, "account", "auth", page({ POST: ofAccount("endOtherSessions") })],
    [AUTH_PATHS.withdraw, "account", "auth", page({ POST: ofAccount("withdrawConsent") })],
    [
      AUTH_PATHS.email,
      "account",
      "auth",
      page({ GET: ofAccount("showEmailChange"), POST: ofAccount("beginEmailChange") }),
    ],
    [
      AUTH_PATHS.emailCode,
      "account",
      "auth",
      page({ GET: ofAccount("showEmailCode"), POST: ofAccount("completeEmailChange") }),
    ],
    [AUTH_PATHS.data, "account", "auth", page({ GET: ofAccount("showData") })],
    [AUTH_PATHS.dataFile, "account", "auth", downloadRoute(auth, { GET: ofAccount("downloadData") })],
    [
      AUTH_PATHS.deleteAccount,
      "account",
      "auth",
      page({ GET: ofAccount("showDeletion"), POST: ofAccount("deleteAccount") }),
    ],
    ...(auth.entitiesUpstream === undefined ? [] : entityRoutes({ ...auth, entitiesUpstream: auth.entitiesUpstream })),
    [EXPORT_ROUTE, "dashboard", "auth", downloadRoute(auth, { GET: ofDashboard("exportCommitments") }, inDashboard)],
    [
      PEOPLE_EXPORT_ROUTE,
      "dashboard",
      "auth",
      downloadRoute(auth, { GET: ofDashboard("exportForPeople") }, inDashboard),
    ],
    ...(dashboard === undefined ? [] : dashboardRoutes(dashboard)),
    [`${AUTH_PATHS.account}/*`, "account", "auth", missingPageRoute(missingAccountPage)],
    ...missingDashboardPages(dashboard !== undefined, isSecure),
    ["/", "account", "auth", page({ GET: (c) => c.redirect(founderPage, 303) })],
    [links.founder, "account", "auth", existingLinkRoute(founderPage, auth)],
    [links.saleHome, "account", "auth", existingLinkRoute(AUTH_PATHS.account, auth)],
    [links.sale, "account", "auth", existingLinkRoute(AUTH_PATHS.account, auth)],
    [`${ASSETS_PREFIX}*`, "web", "auth", assetsRoute(assets)],
    [`${LOGOS_PREFIX}*`, "web", "auth", logo],
    ["/sales/assets/*", "sale-page", "auth", filesOf(salePages)],
  ];
}

function callbackRoutes(auth: ExportDependencies, pathPrefix: string): readonly GatewayRoute[] {
  const { entitiesUpstream } = auth;
  if (entitiesUpstream === undefined) return [];
  const route = identityCallbackRoute({ ...auth, entitiesUpstream });
  return [[identityCallbackPath(pathPrefix), "public-calls", "public", route]];
}

/** Returns the pages and forms of passkeys, where the site can have them. */
function passkeyRoutes(auth: ExportDependencies): readonly GatewayRoute[] {
  if (!canHavePasskeys(auth.config.authUrl)) return [];
  const page = (handlers: PageHandlers<ExportDependencies>) => pageRoute(auth, handlers);
  return [
    [AUTH_PATHS.passkeySignIn, "account", "auth", page({ POST: signInByPasskey })],
    [AUTH_PATHS.passkeySignInQuestion, "account", "auth", page({ POST: askForSignIn })],
    [AUTH_PATHS.passkeys, "account", "auth", page({ GET: ofAccount("showPasskeys"), POST: ofAccount("addPasskey") })],
    [AUTH_PATHS.passkeyQuestion, "account", "auth", page({ POST: ofAccount("askForPasskey") })],
    [AUTH_PATHS.renamePasskey, "account", "auth", page({ POST: ofAccount("renamePasskey") })],
    [AUTH_PATHS.removePasskey, "account", "auth", page({ POST: ofAccount("removePasskey") })],
    [AUTH_PATHS.passkeyOffer, "account", "auth", page({ GET: showOffer, POST: declineOffer })],
  ];
}

/** Returns the handler of the files that sale pages load, by the path below `/sales/assets/`: for previews of drafts. */
function filesOf(salePages: SalePages): RouteHandler {
  return (request, response, name, route) => salePages.page(request, response, `assets/${name}`, route);
}

/** Returns the pages of the account about entities. The order matters: `entities/new` is no entity's UUID. */
function entityRoutes(dependencies: EntityDependencies): readonly GatewayRoute[] {
  const page = (handlers: PageHandlers<EntityDependencies>) => pageRoute(dependencies, handlers);
  const paths = entityPaths(":entity");
  return [
    [
      AUTH_PATHS.liveness,
      "account",
      "auth",
      page({ GET: ofAccount("showLiveness"), POST: ofAccount("confirmLiveness") }),
    ],
    [AUTH_PATHS.alerts, "account", "auth", page({ POST: ofAccount("setAlerts") })],
    [AUTH_PATHS.stopAlerts, "account", "auth", page({ GET: ofAccount("showStop"), POST: ofAccount("stopAlerts") })],
    [NEW_ENTITY_PATH, "account", "auth", page({ GET: ofAccount("showNewEntity"), POST: ofAccount("createEntity") })],
    [paths.entity, "account", "auth", page({ GET: ofAccount("showEntity"), POST: ofAccount("changeEntity") })],
    [paths.wallet, "account", "auth", page({ GET: ofAccount("showWalletLink"), POST: ofAccount("linkWallet") })],
    [paths.remove, "account", "auth", page({ GET: ofAccount("showEntityDeletion"), POST: ofAccount("deleteEntity") })],
  ];
}

/** Returns the founder's pages. The order matters: `applications/new` is no application's UUID. */
function dashboardRoutes(dashboard: DashboardDependencies): readonly GatewayRoute[] {
  const page = (handlers: PageHandlers<DashboardDependencies>) => pageRoute(dashboard, handlers, inDashboard);
  const imports = { ...dashboard, listImports: new ImportLimit() };
  const importPage = pageRoute(
    imports,
    { GET: ofDashboard("showCommitmentImport"), POST: ofDashboard("importCommitments") },
    inDashboard,
  );
  const planPage = pageRoute(
    imports,
    { GET: ofDashboard("showSettlementPlan"), POST: ofDashboard("makeSettlementPlan") },
    inDashboard,
  );
  const sale = salePaths(":sale");
  const application = applicationPaths(":sale", ":client");
  return [
    [DASHBOARD_PATH, "dashboard", "auth", page({ GET: ofDashboard("showSales") })],
    [GUIDE_PATH, "dashboard", "auth", page({ GET: ofDashboard("showGuide") })],
    [`${GUIDE_PATH}/:name`, "dashboard", "auth", page({ GET: ofDashboard("showGuide") })],
    [NEW_SALE_PATH, "dashboard", "auth", page({ GET: ofDashboard("showNewSale"), POST: ofDashboard("createSale") })],
    [CHECK_PATH, "dashboard", "auth", page({ POST: ofDashboard("checkFormValues") })],
    [sale.sale, "dashboard", "auth", page({ GET: ofDashboard("showSale") })],
    [
      sale.settings,
      "dashboard",
      "auth",
      page({ GET: ofDashboard("showSettings"), POST: ofDashboard("changeSettings") }),
    ],
    [
      sale.presentation,
      "dashboard",
      "auth",
      page({ GET: ofDashboard("showPresentation"), POST: ofDashboard("changePresentation") }),
    ],
    [sale.logo, "dashboard", "auth", page({ GET: redirectBack, POST: ofDashboard("changeSaleLogo") })],
    [sale.preview, "dashboard", "auth", page({ GET: ofDashboard("showPreview") })],
    [sale.contract, "dashboard", "auth", page({ GET: ofDashboard("showContract") })],
    [sale.contractState, "dashboard", "auth", page({ GET: ofDashboard("answerContractState") })],
    [sale.open, "dashboard", "auth", page({ GET: ofDashboard("showOpening"), POST: ofDashboard("openSale") })],
    [sale.settle, "dashboard", "auth", page({ GET: ofDashboard("showSettlement"), POST: ofDashboard("settleSale") })],
    [sale.settlement, "dashboard", "auth", planPage],
    [sale.remove, "dashboard", "auth", page({ GET: ofDashboard("showRemoval"), POST: ofDashboard("removeSale") })],
    [sale.members, "dashboard", "auth", page({ GET: ofDashboard("showMembers"), POST: ofDashboard("setMember") })],
    [sale.passkeyRule, "dashboard", "auth", page({ GET: redirectBack, POST: ofDashboard("setPasskeyRule") })],
    [sale.removeMember, "dashboard", "auth", page({ GET: redirectBack, POST: ofDashboard("removeMember") })],
    [sale.log, "dashboard", "auth", page({ GET: ofDashboard("showLog") })],
    [sale.downloads, "dashboard", "auth", page({ GET: ofDashboard("showDownloads") })],
    [
      sale.webhooks,
      "dashboard",
      "auth",
      page({ GET: ofDashboard("showWebhooks"), POST: ofDashboard("changeWebhooks") }),
    ],
    [sale.importCommitments, "dashboard", "auth", importPage],
    ...(dashboard.entitiesUpstream === undefined
      ? []
      : takingPartRoutes({ ...imports, entitiesUpstream: dashboard.entitiesUpstream })),
    [sale.days, "dashboard", "auth", page({ GET: ofDashboard("showDays") })],
    [sale.developers, "dashboard", "auth", page({ GET: ofDashboard("showDevelopers") })],
    [sale.applications, "dashboard", "auth", page({ GET: ofDashboard("showApplications") })],
    [
      sale.newApplication,
      "dashboard",
      "auth",
      page({ GET: ofDashboard("showNewApplication"), POST: ofDashboard("createApplication") }),
    ],
    [
      application.application,
      "dashboard",
      "auth",
      page({ GET: ofDashboard("showApplication"), POST: ofDashboard("changeApplication") }),
    ],
    [application.addRedirectUri, "dashboard", "auth", page({ GET: redirectBack, POST: ofDashboard("addRedirectUri") })],
    [
      application.removeRedirectUri,
      "dashboard",
      "auth",
      page({ GET: redirectBack, POST: ofDashboard("removeRedirectUri") }),
    ],
    [application.logos, "dashboard", "auth", page({ GET: redirectBack, POST: ofDashboard("setLogos") })],
    [
      application.security,
      "dashboard",
      "auth",
      page({ GET: ofDashboard("showSecurity"), POST: ofDashboard("changeSecurity") }),
    ],
    [
      application.preview,
      "dashboard",
      "auth",
      page({
        GET: async (c, dependencies) =>
          (await import("./dashboard/application/application.ts")).previewConsent(c, dependencies, consentPreview),
      }),
    ],
    [
      application.status,
      "dashboard",
      "auth",
      page({ GET: redirectBack, POST: ofDashboard("changeApplicationStatus") }),
    ],
  ];
}

/** Returns the pages about who may take part, for founders and for reviewers. */
function takingPartRoutes(dependencies: TakingPartDependencies): readonly GatewayRoute[] {
  const page = (handlers: PageHandlers<TakingPartDependencies>) => pageRoute(dependencies, handlers, inDashboard);
  const paths = takingPartPaths(":sale");
  return [
    [paths.overview, "dashboard", "auth", page({ GET: ofDashboard("showTakingPart") })],
    [paths.rules, "dashboard", "auth", page({ GET: ofDashboard("showRules"), POST: ofDashboard("changeRules") })],
    [
      paths.groupMembers,
      "dashboard",
      "auth",
      page({ GET: ofDashboard("showGroupMembers"), POST: ofDashboard("searchGroupMembers") }),
    ],
    [
      paths.importGroupMembers,
      "dashboard",
      "auth",
      page({ GET: redirectBack, POST: ofDashboard("importGroupMembers") }),
    ],
    [
      paths.removeGroupMembers,
      "dashboard",
      "auth",
      page({ GET: redirectBack, POST: ofDashboard("removeGroupMembers") }),
    ],
    [
      paths.groupMembersCsv,
      "dashboard",
      "auth",
      downloadRoute(dependencies, { GET: ofDashboard("exportGroupMembers") }, inDashboard),
    ],
    [paths.denyList, "dashboard", "auth", page({ GET: ofDashboard("showDenyList") })],
    [paths.changeDenyList, "dashboard", "auth", page({ GET: redirectBack, POST: ofDashboard("changeDenyList") })],
    [
      paths.denyListCsv,
      "dashboard",
      "auth",
      downloadRoute(dependencies, { GET: ofDashboard("exportDenyList") }, inDashboard),
    ],
    [paths.freezes, "dashboard", "auth", page({ GET: ofDashboard("showFreezes"), POST: ofDashboard("freezeEntity") })],
    [paths.liftFreeze, "dashboard", "auth", page({ GET: redirectBack, POST: ofDashboard("liftFreeze") })],
    [paths.signer, "dashboard", "auth", page({ GET: ofDashboard("showSigner"), POST: ofDashboard("changeSigner") })],
    [paths.permits, "dashboard", "auth", page({ GET: ofDashboard("showPermits") })],
    [REVIEWS_PATH, "dashboard", "auth", page({ GET: ofDashboard("showReviews") })],
    [
      reviewPath(":entity"),
      "dashboard",
      "auth",
      page({ GET: ofDashboard("showReview"), POST: ofDashboard("decideReview") }),
    ],
  ];
}

/** Returns the routes of the paths at and below the dashboard that are no page. Those that are get there through them. */
function missingDashboardPages(hasDashboard: boolean, isSecure: boolean): readonly GatewayRoute[] {
  const shown = hasDashboard ? { link: SALES_LINK, frame: inDashboard } : { link: ACCOUNT_LINK };
  const missing = missingPageRoute({ label: DASHBOARD_PATH, isSecure, ...shown });
  return [
    [DASHBOARD_PATH, "dashboard", "auth", missing],
    [`${DASHBOARD_PATH}/*`, "dashboard", "auth", { ...missing, isFallback: false }],
  ];
}
