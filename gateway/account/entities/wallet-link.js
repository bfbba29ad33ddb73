/**
 * Enhances the two pages that link a wallet, which are complete without it: a wallet in this browser gives its address, and signs the
 * text. Both are sent by the page's own form.
 */

import { findWallets, walletProblem } from "../../web/browser/injected-wallets.js";
import { fill } from "../../web/browser/message.js";

/** A problem whose message is for the person. */
class Problem extends Error {}

const panel = document.querySelector("[data-wallets]");
const form = document.querySelector("form[data-wallet]");
/** The texts `walletScript` in the page's language. */
const texts = JSON.parse(panel?.dataset.texts ?? "{}");
if (panel && form) offerWallets();

/** Offers the wallets of this browser: those of either kind until an address says which one signs. */
function offerWallets() {
  const { address = "" } = panel.dataset;
  const isEvm = address.startsWith("0x");
  const { unnamed: evm, solana: svm } = texts;
  findWallets({ ...((isEvm || !address) && { evm }), ...(!isEvm && { svm }) }, offer);
  // The form was sent, and the page is still or again shown.
  addEventListener("sendable", () => setBusy(false));
}

/** Adds the button of a wallet. @returns the button */
function offer(wallet) {
  const isSigning = panel.dataset.address !== undefined;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "secondary";
  button.textContent = fill(isSigning ? texts.signWith : texts.connectWith, { wallet: wallet.name });
  button.addEventListener("click", () => run(() => (isSigning ? sign(wallet) : connect(wallet))));
  panel.querySelector(".actions").append(button);
  panel.hidden = false;
  return button;
}

/** Does one thing at a time, and says what came of it. The button keeps the focus, so it isn't disabled meanwhile. */
async function run(action) {
  if (panel.getAttribute("aria-busy") === "true") return;
  setBusy(true);
  say(texts.answer);
  try {
    await action();
    say(texts.answered);
    // What it left empty isn't sent, and can be asked for again.
    setBusy(form.checkValidity());
    form.requestSubmit();
  } catch (error) {
    setBusy(false);
    say(problemText(error));
  }
}

async function connect(wallet) {
  const { accounts, chain } = await wallet.connect();
  if (accounts.length === 0) throw new Problem(texts.noAccount);
  form.elements.address.value = accounts[0];
  if (chain !== undefined) form.elements.chain.value = chain;
}

async function sign(wallet) {
  const { address, chain: wanted } = panel.dataset;
  const { accounts, chain } = await wallet.connect();
  const isEvm = chain !== undefined;
  const key = (text) => (isEvm ? text.toLowerCase() : text);
  if (!accounts.some((account) => key(account) === key(address))) {
    throw new Problem(fill(texts.otherAccount, { address }));
  }
  if (isEvm && BigInt(chain) !== BigInt(wanted)) {
    throw new Problem(fill(texts.otherChain, { chain, wanted }));
  }
  form.elements.signature.value = await wallet.sign(document.querySelector(".sign-text").textContent, address);
}

function problemText(error) {
  const { refused, pending, failed } = texts;
  return error instanceof Problem ? error.message : { refused, pending, failed }[walletProblem(error)];
}

function setBusy(isBusy) {
  panel.setAttribute("aria-busy", String(isBusy));
  for (const button of panel.querySelectorAll("button")) button.setAttribute("aria-disabled", String(isBusy));
}

/** Writes into the live region, from where it is read aloud. */
function say(text) {
  panel.querySelector("[role=status]").textContent = text;
}
