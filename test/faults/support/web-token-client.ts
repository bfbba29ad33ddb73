import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import type { PageBrowser, ShownPage } from "../../../gateway/testing/page-browser.ts";
import { TokenSetSchema } from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { OAuthErrorSchema } from "../../../proto/gen/tidemark/auth/v1/parameter_pb.ts";
import type { Application } from "../../../services/auth/testing/application.ts";
import {
  allow,
  CONSENT,
  type EndpointAnswer,
  type WebApplication,
} from "../../support/applications/web-application.ts";
import { answered, answeredPage } from "./gateway-answer.ts";

type Tokens = Awaited<ReturnType<Application["exchange"]>>;

/** An application and the browser of one of its users, both through the gateways, as an `Application`. */
export class WebTokenClient implements Pick<Application, "code" | "exchange" | "refresh"> {
  readonly #application: WebApplication;
  readonly #browser: PageBrowser;

  constructor(application: WebApplication, browser: PageBrowser) {
    this.#application = application;
    this.#browser = browser;
  }

  async code(): Promise<{ code: string; codeVerifier: string }> {
    const shown = answeredPage(await this.#application.authorize(this.#browser));
    const isAsked = shown.html.includes(`action="${CONSENT}"`);
    const page = isAsked ? answeredPage(await allow(this.#browser, shown)) : shown;
    return { code: codeGiven(page), codeVerifier: this.#application.codeVerifier };
  }

  async exchange({ code }: { readonly code: string }): Promise<Tokens> {
    return tokensOf(answered(await this.#application.exchange(code)));
  }

  async refresh(refreshToken: string): Promise<Tokens> {
    return tokensOf(answered(await this.#application.refresh(refreshToken)));
  }
}

function codeGiven({ leftTo, path, html }: ShownPage): string {
  const parameters = leftTo === undefined ? undefined : new URL(leftTo).searchParams;
  const code = parameters?.get("code");
  if (code) return code;
  if (parameters?.get("error") === "temporarily_unavailable") throw new ConnectError("away", Code.Unavailable);
  throw new ConnectError(`no code at ${leftTo ?? path}: ${html}`, Code.Internal);
}

function tokensOf({ body, error }: EndpointAnswer): Tokens {
  if (error !== "") return { case: "error", value: create(OAuthErrorSchema, { error }) };
  const [accessToken, refreshToken] = [String(body["access_token"]), String(body["refresh_token"])];
  return { case: "tokens", value: create(TokenSetSchema, { accessToken, refreshToken }) };
}
