/**
 * Lets people add passkeys and sign in with them (WebAuthn). Pages are complete without it, and where a browser has no passkeys:
 * then there is no button. The answer of the authenticator is sent by the page's own form.
 */

/** Questions are valid for five minutes; a page that waits for a choice asks again before. */
const QUESTION_MS = 4 * 60_000;

const form = document.querySelector("form[data-passkey]");
const codeForm = document.querySelector("form[data-passkey-offer]");
/** The texts `passkeyScript` in the page's language. */
const texts = JSON.parse(form?.dataset.texts ?? "{}");
const isPossible = typeof PublicKeyCredential === "function";

/** Ends the question that waits until somebody chooses a passkey in the field for the e-mail address. */
let waiting = new AbortController();

if (form !== null && isPossible) start();
else if (form !== null) form.hidden = true;
if (codeForm !== null && isPossible) void sayWhetherToOffer();

function start() {
  // Browsers that don't say whether pages run scripts hide what needs one.
  form.classList.add("runs-script");
  form.querySelector("button").disabled = false;
  form.addEventListener("submit", (event) => {
    // The script sends the form without the button; people press it, or the Enter key, which stands for it.
    if (event.submitter === null) return;
    event.preventDefault();
    void run();
  });
  // The answer was sent, and the page is still or again shown.
  addEventListener("sendable", () => {
    form.elements.credential?.remove();
    setBusy(false);
  });
  if (form.dataset.passkey === "sign-in") void waitForChoice();
}

/** Asks the authenticator, and sends its answer. The button keeps the focus, so it isn't disabled meanwhile. */
async function run() {
  if (form.getAttribute("aria-busy") === "true") return;
  setBusy(true);
  say(texts.asking);
  try {
    send(await answerTo(await ask()));
  } catch (error) {
    setBusy(false);
    say(problemOf(error));
    if (form.dataset.passkey === "sign-in") void waitForChoice();
  }
}

/** Offers passkeys among the suggestions for the e-mail address, where the browser can. */
async function waitForChoice() {
  if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return;
  for (;;) {
    await untilVisible();
    if (form.getAttribute("aria-busy") === "true") return;
    const attempt = new AbortController();
    waiting = attempt;
    let isOld = false;
    const renewal = setTimeout(() => {
      isOld = true;
      attempt.abort();
    }, QUESTION_MS);
    try {
      const answer = await answerTo(await ask(), { mediation: "conditional", signal: attempt.signal });
      setBusy(true);
      send(answer);
      return;
    } catch {
      // Nobody has asked for anything, so nobody misses it.
      if (!isOld) return;
    } finally {
      clearTimeout(renewal);
    }
  }
}

function untilVisible() {
  return new Promise((resolve) => {
    if (document.visibilityState === "visible") resolve();
    else document.addEventListener("visibilitychange", () => resolve(), { once: true });
  });
}

/** Returns the question of the server. Where that leads elsewhere instead, as after the end of the session, the browser goes there. */
async function ask() {
  const { form_token, authorization } = form.elements;
  const body = new URLSearchParams({ form_token: form_token.value, authorization: authorization?.value ?? "" });
  const answer = await fetch(form.dataset.question, { method: "POST", body });
  if (answer.redirected) {
    location.assign(answer.url);
    return new Promise(() => {});
  }
  if (!answer.ok) throw new Error(`the server answers ${answer.status}`);
  return answer.json();
}

/** Returns the answer of the authenticator, as text. */
async function answerTo(question, options = {}) {
  const challenge = bytesOf(question.challenge);
  if (form.dataset.passkey === "sign-in") {
    if (options.mediation === undefined) waiting.abort();
    const credential = await navigator.credentials.get({ publicKey: { ...question, challenge }, ...options });
    const { clientDataJSON, authenticatorData, signature, userHandle } = credential.response;
    return textOf(credential, { clientDataJSON, authenticatorData, signature, userHandle });
  }
  const user = { ...question.user, id: bytesOf(question.user.id) };
  const excludeCredentials = question.excludeCredentials.map((each) => ({ ...each, id: bytesOf(each.id) }));
  const credential = await navigator.credentials.create({
    publicKey: { ...question, challenge, user, excludeCredentials },
  });
  const { clientDataJSON, attestationObject } = credential.response;
  const transports = credential.response.getTransports?.() ?? [];
  return textOf(credential, { clientDataJSON, attestationObject }, { transports });
}

/** `AuthenticationResponseJSON` or `RegistrationResponseJSON`, which older browsers can't make themselves. */
function textOf({ rawId, type }, buffers, others = {}) {
  const entries = Object.entries(buffers).filter(([, buffer]) => buffer !== null);
  const response = Object.fromEntries(entries.map(([name, buffer]) => [name, base64urlOf(buffer)]));
  const id = base64urlOf(rawId);
  return JSON.stringify({ id, rawId: id, type, clientExtensionResults: {}, response: { ...response, ...others } });
}

function bytesOf(base64url) {
  const text = atob(base64url.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

function base64urlOf(buffer) {
  const text = Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join("");
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function send(credential) {
  say(texts.answered);
  const field = document.createElement("input");
  field.type = "hidden";
  field.name = "credential";
  field.value = credential;
  form.append(field);
  form.requestSubmit();
}

/** Returns the text about an error. Browsers say the same of a refusal, a time-out, and of no passkey at all. */
function problemOf(error) {
  if (error.name === "InvalidStateError") return texts.already;
  return error.name === "NotAllowedError" || error.name === "AbortError" ? texts.cancelled : texts.failed;
}

function setBusy(isBusy) {
  form.setAttribute("aria-busy", String(isBusy));
  form.querySelector("button").setAttribute("aria-disabled", String(isBusy));
}

/** Writes into the live region, from where it is read aloud. */
function say(text) {
  form.querySelector("[role=status]").textContent = text;
}

/** Tells the server whether this device could keep a passkey, so that it offers one after the sign-in. */
async function sayWhetherToOffer() {
  if (!(await PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable?.())) return;
  const field = document.createElement("input");
  field.type = "hidden";
  field.name = "passkeys";
  field.value = "possible";
  codeForm.append(field);
}
