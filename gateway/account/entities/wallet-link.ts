import { timestampMs } from "@bufbuild/protobuf/wkt";
import { html } from "hono/html";
import { presumedFamily } from "../../../common/chains/addresses.ts";
import { HAS_CHAIN_ID } from "../../../common/chains/base/chain-family.ts";
import type { Language } from "../../../common/platform/language/language.ts";
import { fill } from "../../../common/platform/language/message.ts";
import { WALLET_KINDS } from "../../../common/sale/definition/wallet-kind.ts";
import type { Entity } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { failureText } from "../../web/pages/failure.ts";
import { errorSummary, hiddenFields, textField, titleWith } from "../../web/pages/fields.ts";
import { fillHtml } from "../../web/pages/fill-html.ts";
import { type Html, type Page, showPage } from "../../web/pages/layout.ts";
import { sessionForm } from "../../web/pages/session-form.ts";
import { redirectRefused, redirectToStep, shownRefusal } from "../../web/sessions/refused-steps.ts";
import type { Refusal } from "../../web/sessions/sealed-refusal.ts";
import type { Texts } from "../../web/texts/en.ts";
import { requestLanguage } from "../../web/texts/request-language.ts";
import { TEXTS } from "../../web/texts/texts.ts";
import { WALLET_SCRIPT } from "../base/account-assets.ts";
import type { EntityDependencies } from "./entity-dependencies.ts";
import { entityPaths, pageOf } from "./entity-paths.ts";
import { orRefusal, ownEntityOf } from "./person.ts";

const WALLET_FORM = "link wallet";

/** `GET /account/entities/{uuid}/wallet`: asks for the wallet's address, or shows the text to sign that a step of before has. */
export async function showWalletLink(c: AuthContext, dependencies: EntityDependencies) {
  const { entity, person } = await ownEntityOf(c, dependencies);
  const { sessionToken } = person;
  const language = requestLanguage(c.env.incoming);
  const step = shownRefusal(c, dependencies, sessionToken);
  const { address = "", chain = "1", handle, text, endsAtMs, signature } = step?.values ?? {};
  const failure = failureText(step, language);
  const view = { entity, sessionToken, address, chain, failure };
  if (handle !== undefined && text !== undefined) {
    const shown = { handle, text, endsAtMs: Number(endsAtMs), signature };
    return showPage(c, walletTextPage({ ...view, ...shown }, language));
  }
  const error = step && failure === undefined ? problemText(step, TEXTS[language]) : undefined;
  return showPage(c, walletAddressPage({ ...view, error }, language));
}

/** Fields of both forms of the page that it shows again. */
const KEPT = ["address", "chain", "handle", "text", "endsAtMs", "signature"];

function problemText({ problem, values: { reason = "" } }: Refusal, { wallet }: Texts): string {
  if (problem === "signature") return wallet.badSignature;
  return problem === "link" ? fill(wallet.refused, { reason }) : reason;
}

/** `POST /account/entities/{uuid}/wallet`: leads to the text to sign; with the signature, links the wallet. */
export async function linkWallet(c: AuthContext, dependencies: EntityDependencies) {
  const { form, sessionToken } = await sessionForm(c, dependencies, WALLET_FORM, c.req.path, KEPT);
  const { entity, person } = await ownEntityOf(c, dependencies);
  const { wallets } = dependencies.entitiesUpstream;
  const [address, chain, handle] = [form.text("address").trim(), form.text("chain").trim(), form.text("handle")];
  const step = { secret: sessionToken, address: c.req.path };
  const refuse = (problem: string, values: Refusal["values"] = {}) =>
    redirectRefused(c, dependencies, step, { problem, values: { address, chain, ...values } });
  if (handle === "") {
    const family = presumedFamily(address);
    const chainId = BigInt(/^\d{1,18}$/.exec(chain)?.[0] ?? "0");
    const request = {
      entityUuid: entity.uuid,
      address,
      kind: WALLET_KINDS[family],
      chainId: HAS_CHAIN_ID[family] ? chainId : 0n,
    };
    const challenge = await orRefusal(() => wallets.beginWalletLink(request, person.options));
    if ("refusal" in challenge) return refuse("address", { reason: challenge.refusal });
    const { linkHandle, text, expiresAt } = challenge.done;
    if (expiresAt === undefined) throw new TypeError("BeginWalletLinkResponse is incomplete");
    const values = { address, chain, handle: linkHandle, text, endsAtMs: `${timestampMs(expiresAt)}` };
    return redirectToStep(c, dependencies, step, { problem: "", values });
  }
  const signature = signatureBytes(form.text("signature"));
  if (signature === undefined) return refuse("signature");
  const linked = await orRefusal(() => wallets.completeWalletLink({ linkHandle: handle, signature }, person.options));
  if ("refusal" in linked) return refuse("link", { reason: linked.refusal });
  return c.redirect(pageOf(entity.uuid, "linked"), 303);
}

const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
/** The longest signature that the contract allows, in bytes. */
const MAX_BYTES = 8192;
/** Base58 is read for signatures of 64 bytes only, as its cost grows with the square of the length. */
const MAX_BASE58_CHARACTERS = 90;

/**
 * Reads a pasted signature: hexadecimal with `0x`, or base58. `0x` alone is that of a smart account that has signed on its chain.
 *
 * @returns undefined for other text
 */
export function signatureBytes(entered: string): Uint8Array<ArrayBuffer> | undefined {
  const text = entered.replaceAll(/\s+/g, "");
  if (/^0x(?:[0-9a-f]{2})*$/i.test(text) && text.length <= 2 + 2 * MAX_BYTES) {
    return new Uint8Array(Buffer.from(text.slice(2), "hex"));
  }
  if (text === "" || text.length > MAX_BASE58_CHARACTERS) return undefined;
  return base58Bytes(text);
}

function base58Bytes(text: string): Uint8Array<ArrayBuffer> | undefined {
  let value = 0n;
  for (const character of text) {
    const digit = ALPHABET.indexOf(character);
    if (digit === -1) return undefined;
    value = value * 58n + BigInt(digit);
  }
  const zeros = /^1*/.exec(text)?.[0].length ?? 0;
  const hex = value === 0n ? "" : value.toString(16);
  return new Uint8Array(Buffer.from("00".repeat(zeros) + (hex.length % 2 === 0 ? hex : `0${hex}`), "hex"));
}

const PREFIX = html`<code>0x</code>`;

interface WalletLinkView {
  readonly entity: Entity;
  readonly sessionToken: string;
  readonly address: string;
  /** The EIP-155 ID of the chain, as entered. */
  readonly chain: string;
  /** The mistake in the address. */
  readonly error?: string | undefined;
  readonly failure: string | undefined;
}

/** Returns the page that asks which wallet to link. */
function walletAddressPage(view: WalletLinkView, language: Language): Page {
  const { entity, sessionToken, address, chain, error, failure } = view;
  const texts = TEXTS[language];
  const { wallet } = texts;
  const { title } = wallet;
  const problem = failure ?? error;
  const paths = entityPaths(entity.uuid);
  const name = html`<strong><bdi>${entity.label}</bdi></strong>`;
  return {
    title: titleWith(title, problem, texts),
    language,
    address: paths.wallet,
    status: problem === undefined ? 200 : 422,
    script: WALLET_SCRIPT,
    content: html`${errorSummary(problem, error && "address", texts)}<h1>${title}</h1>
<p>${fillHtml(wallet.text, { entity: name })}</p>
${walletPanel(wallet.connect, wallet.orAddress, texts)}
<form method="post" action="${paths.wallet}" data-wallet>${hiddenFields(WALLET_FORM, sessionToken)}
${textField({ id: "address", name: "address", label: wallet.address, hint: fillHtml(wallet.addressHint, { prefix: PREFIX }), value: address, error, attributes: html`maxlength="64" autocomplete="off" autocapitalize="none" spellcheck="false"` })}
${textField({ id: "chain", name: "chain", label: wallet.chain, hint: html`${wallet.chainHint}`, value: chain, isOptional: true, attributes: html`maxlength="18" inputmode="numeric" autocomplete="off"` })}
<div class="actions"><button class="primary">${wallet.showText}</button><a class="button secondary" href="${paths.entity}">${wallet.cancel}</a></div></form>`,
  };
}

interface WalletTextView extends WalletLinkView {
  readonly handle: string;
  readonly text: string;
  readonly endsAtMs: number;
  /** The signature that was entered before. */
  readonly signature: string | undefined;
}

/** Returns the page that shows the text to sign and takes the signature. */
function walletTextPage(view: WalletTextView, language: Language): Page {
  const { entity, sessionToken, address, chain, handle, text, endsAtMs, signature, failure } = view;
  const texts = TEXTS[language];
  const { wallet } = texts;
  const title = wallet.signTitle;
  const paths = entityPaths(entity.uuid);
  const time = fill(texts.time.utc, { time: new Date(endsAtMs).toISOString().slice(11, 16) });
  const sent = { handle, address, chain, text, endsAtMs: String(endsAtMs) };
  return {
    title: titleWith(title, failure, texts),
    language,
    address: paths.wallet,
    isWide: true,
    status: failure === undefined ? 200 : 422,
    script: WALLET_SCRIPT,
    content: html`${errorSummary(failure, undefined, texts)}<h1>${title}</h1>
<p>${fillHtml(wallet.signText, { wallet: html`<code>${address}</code>`, time })}</p>
<pre class="detail sign-text" tabindex="0" aria-label="${wallet.signLabel}"><span lang="en">${text}</span></pre>
${walletPanel(wallet.signWith, wallet.orSignature, texts, { address, chain })}
<form method="post" action="${paths.wallet}" data-wallet>${hiddenFields(WALLET_FORM, sessionToken, sent)}
${textField({ id: "signature", name: "signature", label: wallet.signature, hint: fillHtml(wallet.signatureHint, { prefix: PREFIX }), value: signature ?? "", attributes: html`maxlength="16400" autocomplete="off" autocapitalize="none" spellcheck="false"` })}
<div class="actions"><button class="primary">${wallet.link}</button><a class="button secondary" href="${paths.entity}">${wallet.cancel}</a></div></form>`,
  };
}

/**
 * Returns the place for the buttons of wallets in this browser, which the script shows if there are any.
 *
 * @param otherwise heading of the form below it
 * @param signer the account that has to sign, if there is a text already
 */
function walletPanel(
  title: string,
  otherwise: string,
  { walletScript }: Texts,
  signer?: { readonly address: string; readonly chain: string },
): Html {
  const data = signer && html` data-address="${signer.address}" data-chain="${signer.chain}"`;
  return html`<section class="wallets-here" aria-labelledby="wallets-here" data-wallets${data} data-texts="${JSON.stringify(walletScript)}" hidden>
<h2 id="wallets-here">${title}</h2><div class="actions"></div><p role="status"></p><h2>${otherwise}</h2></section>`;
}
