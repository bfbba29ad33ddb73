import { randomBytes } from "node:crypto";
import { getCookie, setCookie } from "hono/cookie";
import { parseUuid } from "../../../common/platform/encoding/uuid.ts";
import type { AuthContext } from "../http/hono-context.ts";
import {
  BROWSER_COOKIE_S,
  DECLINED_PASSKEY_COOKIE_S,
  KNOWN_BROWSER_COOKIE_S,
  PENDING_SIGN_IN_COOKIE_S,
  RECOVERY_PASS_COOKIE_S,
  REFUSAL_COOKIE_S,
  SENDER_COOKIE_S,
} from "../lifetimes.ts";

/** The sign-in that the code page is for. */
export interface PendingSignIn {
  readonly handle: string;
  readonly email: string;
}

/** The sender of a browser's user: an authorization or a link named it. Anybody can have such a link followed, so nothing in it is believed. */
export interface Sender {
  /** The UUID of an application or of a sale. */
  readonly uuid: string;
  /** The web origin to which the application wanted its user back; empty for a link. */
  readonly origin: string;
}

const TOKEN = /^[A-Za-z0-9_-]{43}$/;
const TOKEN_BYTES = 32;
const MAX_PENDING_CHARACTERS = 512;
/** The contract's form of `known_browser`. */
const KNOWN_BROWSER = /^[A-Za-z0-9_.-]{1,512}$/;
const DECLINED = "declined";
/** The form of a step's ID. */
export const STEP_ID: RegExp = /^[A-Za-z0-9_-]{22}$/;
/** Refusals that a browser holds; the oldest goes for another one. */
const MAX_REFUSALS = 3;

/**
 * The gateway's cookies: host-only, `HttpOnly`, `SameSite=Lax`. On https `Secure` with the prefix `__Host-`, so that no
 * other host of the same domain can plant one (RFC 6265bis section 4.1.3); loopback http has neither.
 */
export class BrowserCookies {
  readonly #secure: boolean;
  readonly #prefix: string;

  /** @param authUrl origin of the pages */
  constructor(authUrl: string) {
    this.#secure = authUrl.startsWith("https:");
    this.#prefix = `${this.#secure ? "__Host-" : ""}tidemark-`;
  }

  /** Returns the browser's own token; undefined where it has none, for example because it refuses cookies. */
  browserToken(c: AuthContext): string | undefined {
    return this.#token(c, "browser");
  }

  /** Returns the browser's own token, and makes one where there is none. Its cookie lasts another 30 days. */
  ensureBrowserToken(c: AuthContext): string {
    const token = this.browserToken(c) ?? randomBytes(TOKEN_BYTES).toString("base64url");
    this.#set(c, "browser", token, BROWSER_COOKIE_S);
    return token;
  }

  sessionToken(c: AuthContext): string | undefined {
    return this.#token(c, "session");
  }

  /** @param seconds until the session ends at the latest */
  setSession(c: AuthContext, token: string, seconds: number): void {
    this.#set(c, "session", token, seconds);
  }

  clearSession(c: AuthContext): void {
    this.#set(c, "session", "", 0);
  }

  /** Returns the sign-in that this browser began last. */
  pendingSignIn(c: AuthContext): PendingSignIn | undefined {
    const text = getCookie(c, `${this.#prefix}sign-in`) ?? "";
    const [handle, email] = text.length <= MAX_PENDING_CHARACTERS ? text.split(" ") : [];
    return handle && email ? { handle, email } : undefined;
  }

  setPendingSignIn(c: AuthContext, { handle, email }: PendingSignIn): void {
    this.#set(c, "sign-in", `${handle} ${email}`, PENDING_SIGN_IN_COOKIE_S);
  }

  clearPendingSignIn(c: AuthContext): void {
    this.#set(c, "sign-in", "", 0);
  }

  /** Returns what the auth service has said of this browser at its last sign-in; empty for nothing. */
  knownBrowser(c: AuthContext): string {
    const text = getCookie(c, `${this.#prefix}known`) ?? "";
    return KNOWN_BROWSER.test(text) ? text : "";
  }

  /** Keeps `known_browser` of a response; an auth service of the version before sends none. */
  setKnownBrowser(c: AuthContext, text: string): void {
    if (text !== "") this.#set(c, "known", text, KNOWN_BROWSER_COOKIE_S);
  }

  clearKnownBrowser(c: AuthContext): void {
    this.#set(c, "known", "", 0);
  }

  /** Returns what brought this browser's user here last. */
  sender(c: AuthContext): Sender | undefined {
    const [uuid = "", origin = ""] = (getCookie(c, `${this.#prefix}sender`) ?? "").split(" ");
    return parseUuid(uuid) === uuid ? { uuid, origin } : undefined;
  }

  /** Keeps for a week what brought this browser's user here. */
  setSender(c: AuthContext, { uuid, origin }: Sender): void {
    this.#set(c, "sender", `${uuid} ${origin}`, SENDER_COOKIE_S);
  }

  /** Whether somebody at this browser has declined a passkey of late. */
  hasDeclinedPasskey(c: AuthContext): boolean {
    return getCookie(c, `${this.#prefix}passkey-offer`) === DECLINED;
  }

  /** Keeps for 90 days that no passkey is wanted in this browser. */
  setDeclinedPasskey(c: AuthContext): void {
    this.#set(c, "passkey-offer", DECLINED, DECLINED_PASSKEY_COOKIE_S);
  }

  /** Returns the pass of a correct code that didn't sign in. */
  recoveryPass(c: AuthContext): string | undefined {
    return this.#token(c, "recovery");
  }

  setRecoveryPass(c: AuthContext, pass: string): void {
    this.#set(c, "recovery", pass, RECOVERY_PASS_COOKIE_S);
  }

  clearRecoveryPass(c: AuthContext): void {
    this.#set(c, "recovery", "", 0);
  }

  /** Returns the sealed refusal of a step. */
  refusal(c: AuthContext, step: string): string | undefined {
    return getCookie(c, this.#refusalName(step));
  }

  /** Keeps the sealed refusal of a step for ten minutes. */
  setRefusal(c: AuthContext, step: string, text: string): void {
    // Browsers send the oldest first (RFC 6265 section 5.4).
    for (const old of this.#refusedSteps(c).slice(0, 1 - MAX_REFUSALS)) this.#set(c, `step-${old}`, "", 0);
    this.#set(c, `step-${step}`, text, REFUSAL_COOKIE_S);
  }

  clearRefusals(c: AuthContext): void {
    for (const step of this.#refusedSteps(c)) this.#set(c, `step-${step}`, "", 0);
  }

  #refusalName(step: string): string {
    return `${this.#prefix}step-${step}`;
  }

  #refusedSteps(c: AuthContext): string[] {
    const start = this.#refusalName("");
    return Object.keys(getCookie(c)).flatMap((name) => {
      const step = name.startsWith(start) ? name.slice(start.length) : "";
      return STEP_ID.test(step) ? [step] : [];
    });
  }

  #token(c: AuthContext, name: string): string | undefined {
    const token = getCookie(c, this.#prefix + name) ?? "";
    return TOKEN.test(token) ? token : undefined;
  }

  #set(c: AuthContext, name: string, value: string, maxAge: number): void {
    setCookie(c, this.#prefix + name, value, {
      path: "/",
      httpOnly: true,
      secure: this.#secure,
      sameSite: "Lax",
      maxAge,
    });
  }
}
