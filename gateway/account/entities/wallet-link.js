/**
 * Enhances the two pages that link a wallet, which are complete without it: a wallet in this browser gives its address, and signs the
 * text. Both are sent by the page's own form.
 */

/** The person has refused (EIP-1193). */
const REFUSED = 4001;
/** The wallet waits for the person's answer to an earlier request (EIP-1474's range, as wallets use it). */
const PENDING = -32002;
/** Most characters of a name that an extension gives itself. */
const MAX_NAME = 40;

/** A problem whose message is for the person. */
class Problem extends Error {}

const panel = document.querySelector("[data-wallets]");
const form = document.querySelector("form[data-wallet]");
/** The texts `walletScript` in the page's language. */
const texts = JSON.parse(panel?.dataset.texts ?? "{}");
if (panel && form) offerWallets();

/** Offers what announces itself by EIP-6963, else the one at `window.ethereum`; and the one at `window.solana`. */
function offerWallets() {
  const { address } = panel.dataset;
  const offersEvm = address === undefined || address.startsWith("0x");
  const offersSvm = address === undefined || !offersEvm;
  if (offersEvm) {
    const announced = new Set();
    let unnamed;
    addEventListener("eip6963:announceProvider", ({ detail: { info, provider } }) => {
      if (announced.has(info.uuid)) return;
      announced.add(info.uuid);
      unnamed?.remove();
      offer(info.name, evmWallet(provider));
    });
    dispatchEvent(new Event("eip6963:requestProvider"));
    if (announced.size === 0 && window.ethereum) unnamed = offer(texts.unnamed, evmWallet(window.ethereum));
  }
  if (offersSvm && window.solana) offer(texts.solana, svmWallet(window.solana));
  // A page that is shown again, as it was, after the way back.
  addEventListener("pageshow", () => setBusy(false));
}

/** Adds the button of a wallet. @returns the button */
function offer(name, wallet) {
  const isSigning = panel.dataset.address !== undefined;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "secondary";
  button.textContent = fill(isSigning ? texts.signWith : texts.connectWith, {
    wallet: String(name).slice(0, MAX_NAME),
  });
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

/** A wallet by EIP-1193. */
function evmWallet(provider) {
  const ask = (method, params = []) => provider.request({ method, params });
  return {
    connect: async () => ({
      accounts: await ask("eth_requestAccounts"),
      chain: String(BigInt(await ask("eth_chainId"))),
    }),
    sign: (text, address) => ask("personal_sign", [hexOf(new TextEncoder().encode(text)), address]),
  };
}

/** A wallet as Phantom and others put it at `window.solana`. */
function svmWallet(provider) {
  return {
    connect: async () => ({ accounts: [String((await provider.connect()).publicKey)] }),
    sign: async (text) => hexOf((await provider.signMessage(new TextEncoder().encode(text), "utf8")).signature),
  };
}

/** Fills the places of a text, written `{name}`. */
function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

function hexOf(bytes) {
  return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

function problemText(error) {
  if (error instanceof Problem) return error.message;
  if (error?.code === REFUSED) return texts.refused;
  if (error?.code === PENDING) return texts.pending;
  return texts.failed;
}

function setBusy(isBusy) {
  panel.setAttribute("aria-busy", String(isBusy));
  for (const button of panel.querySelectorAll("button")) button.setAttribute("aria-disabled", String(isBusy));
}

/** Writes into the live region, from where it is read aloud. */
function say(text) {
  panel.querySelector("[role=status]").textContent = text;
}
