import { timestampMs } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import { html } from "hono/html";
import type { Language } from "../../common/platform/language/language.ts";
import type { GetSignInResponse } from "../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import type { AuthContext } from "../web/http/hono-context.ts";
import { fillHtml } from "../web/pages/fill-html.ts";
import type { Html } from "../web/pages/layout.ts";
import { readScript } from "../web/pages/page-assets.ts";
import { utcClock } from "../web/pages/utc-time.ts";
import type { AuthDependencies } from "../web/sessions/auth-dependencies.ts";
import { isRefused } from "../web/sessions/auth-failure.ts";
import { TEXTS } from "../web/texts/texts.ts";

/** The module that counts down to the next code. */
export const NEXT_CODE_MODULE = new URL("../web/browser/next-code.js", import.meta.url);
/** The script of a page that asks for a code, and for nothing else that needs one. */
export const NEXT_CODE_SCRIPT = readScript(NEXT_CODE_MODULE);

/** The state of a sign-in, for the page that asks for its code. Times are in milliseconds since 1970. */
export interface CodeState {
  /** Address that the codes go to, as it was typed where that is known; undefined for a sign-in of which nothing is known. */
  readonly email: string | undefined;
  /** When the latest code was asked for. */
  readonly askedAt: number | undefined;
  /** When the next one can be sent; undefined for now. */
  readonly nextSendAt: number | undefined;
  /** The time until then. */
  readonly waitMs: number;
  /** Whether the browser has asked for as many as it can within an hour. */
  readonly wasLast: boolean;
  /** Whether no code can complete the sign-in; undefined where the auth service doesn't say. */
  readonly isOver: boolean | undefined;
}

/** Bound of the contract. No sign-in has a longer handle. */
const MAX_HANDLE_CHARACTERS = 64;

/**
 * Asks the auth service for the state of a sign-in, or of a change of the e-mail address in a session. One of a version without
 * such states leaves what the browser itself knows.
 */
export async function readCodeState(
  c: AuthContext,
  { clients, cookies }: AuthDependencies,
  { signIn, browserToken, sessionToken = "" }: SignInOfPage,
): Promise<CodeState> {
  const signInHandle = signIn.slice(0, MAX_HANDLE_CHARACTERS);
  const pending = cookies.pendingSignIn(c);
  const typed = pending?.handle === signIn ? pending.email : undefined;
  try {
    return codeStateOf(await clients.accounts.getSignIn({ signInHandle, browserToken, sessionToken }), typed);
  } catch (error) {
    if (isRefused(error, Code.Unimplemented)) return { ...UNTOLD, email: typed };
    throw error;
  }
}

const UNTOLD = { askedAt: undefined, nextSendAt: undefined, waitMs: 0, wasLast: false, isOver: undefined };

export interface SignInOfPage {
  /** Handle of the address of the page. */
  readonly signIn: string;
  readonly browserToken: string;
  readonly sessionToken?: string;
}

/** @param typed the address as the user has typed it */
function codeStateOf(answer: GetSignInResponse, typed: string | undefined): CodeState {
  const { email, askedAt, nextSendAt, now, sendsLeft, triesLeft } = answer;
  const waitMs = nextSendAt === undefined || now === undefined ? 0 : timestampMs(nextSendAt) - timestampMs(now);
  return {
    email: email === "" ? undefined : (typed ?? email),
    askedAt: askedAt && timestampMs(askedAt),
    nextSendAt: waitMs > 0 && nextSendAt !== undefined ? timestampMs(nextSendAt) : undefined,
    waitMs,
    wasLast: sendsLeft === 0,
    isOver: triesLeft === 0,
  };
}

/**
 * Returns the line that names the address that the code goes to, and when it was asked for, as far as they are known. It doesn't say that a mail was
 * sent: none is where the address was sent too many, and the page must not reveal that.
 */
export function codeSent({ email, askedAt }: CodeState, language: Language): Html | undefined {
  if (email === undefined) return undefined;
  const { code } = TEXTS[language];
  const address = html`<strong><bdi>${email}</bdi></strong>`;
  if (askedAt === undefined) return html`<p>${fillHtml(code.sentBefore, { address })}</p>`;
  return html`<p>${fillHtml(code.sent, { address, time: utcClock(askedAt, language) })}</p>`;
}

/**
 * Returns the part of the page that sends another code, and says from when on it can. A script counts down to that time; it
 * announces that it has come, and nothing before. Without script the button is there, and an early click shows the time again.
 *
 * @param form action, and hidden fields with the address
 */
export function nextCode(
  { nextSendAt, waitMs, wasLast, isOver }: CodeState,
  { action, fields }: { readonly action: string; readonly fields: Html },
  language: Language,
): Html {
  const { code } = TEXTS[language];
  const button = html`<form method="post" action="${action}">${fields}<button class="${isOver ? "primary" : "link"}"${nextSendAt && html` aria-describedby="next-code"`}>${code.sendAgain}</button></form>`;
  if (nextSendAt === undefined) return button;
  const text = fillHtml(wasLast ? code.lastUntil : code.nextFrom, { time: utcClock(nextSendAt, language) });
  return html`<div class="next-code" data-next-code="${waitMs}" data-texts="${JSON.stringify({ in: wasLast ? code.lastIn : code.nextIn, now: code.nextNow })}">
<p id="next-code">${text}</p>
<p role="status"></p>
${button}
</div>`;
}
