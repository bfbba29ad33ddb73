import { html } from "hono/html";
import type { Language } from "../../../common/platform/language/language.ts";
import { fill } from "../../../common/platform/language/message.ts";
import type { Entity } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { errorSummary, hiddenFields, textField, titleWith } from "../../web/pages/fields.ts";
import { fillHtml } from "../../web/pages/fill-html.ts";
import type { Html, Page } from "../../web/pages/layout.ts";
import type { Texts } from "../../web/texts/en.ts";
import { TEXTS } from "../../web/texts/texts.ts";
import { entityPaths } from "./entity-paths.ts";
import { WALLET_SCRIPT } from "./wallet-assets.ts";

export const WALLET_FORM = "link wallet";

const PREFIX = html`<code>0x</code>`;

export interface WalletLinkView {
  readonly entity: Entity;
  readonly sessionToken: string;
  readonly address: string;
  /** The EIP-155 ID of the chain, as entered. */
  readonly chain: string;
  readonly error?: string;
}

/** Returns the page that asks which wallet to link. */
export function walletAddressPage(view: WalletLinkView, language: Language): Page {
  const { entity, sessionToken, address, chain, error } = view;
  const texts = TEXTS[language];
  const { wallet } = texts;
  const { title } = wallet;
  const paths = entityPaths(entity.uuid);
  const name = html`<strong><bdi>${entity.label}</bdi></strong>`;
  return {
    title: titleWith(title, error, texts),
    language,
    address: paths.wallet,
    status: error === undefined ? 200 : 422,
    script: WALLET_SCRIPT,
    content: html`${errorSummary(error, "address", texts)}<h1>${title}</h1>
<p>${fillHtml(wallet.text, { entity: name })}</p>
${walletPanel(wallet.connect, wallet.orAddress, texts)}
<form method="post" action="${paths.wallet}" data-wallet>${hiddenFields(WALLET_FORM, sessionToken)}
${textField({ id: "address", name: "address", label: wallet.address, hint: fillHtml(wallet.addressHint, { prefix: PREFIX }), value: address, error, attributes: html`maxlength="64" autocomplete="off" autocapitalize="none" spellcheck="false"` })}
${textField({ id: "chain", name: "chain", label: wallet.chain, hint: html`${wallet.chainHint}`, value: chain, isOptional: true, attributes: html`maxlength="18" inputmode="numeric" autocomplete="off"` })}
<div class="actions"><button class="primary">${wallet.showText}</button><a class="button secondary" href="${paths.entity}">${wallet.cancel}</a></div></form>`,
  };
}

export interface WalletTextView extends WalletLinkView {
  readonly handle: string;
  readonly text: string;
  readonly endsAtMs: number;
}

/** Returns the page that shows the text to sign and takes the signature. */
export function walletTextPage(view: WalletTextView, language: Language): Page {
  const { entity, sessionToken, address, chain, handle, text, endsAtMs } = view;
  const texts = TEXTS[language];
  const { wallet } = texts;
  const title = wallet.signTitle;
  const paths = entityPaths(entity.uuid);
  const time = fill(texts.time.utc, { time: new Date(endsAtMs).toISOString().slice(11, 16) });
  return {
    title,
    language,
    address: paths.wallet,
    isWide: true,
    script: WALLET_SCRIPT,
    content: html`<h1>${title}</h1>
<p>${fillHtml(wallet.signText, { wallet: html`<code>${address}</code>`, time })}</p>
<pre class="detail sign-text" tabindex="0" aria-label="${wallet.signLabel}"><span lang="en">${text}</span></pre>
${walletPanel(wallet.signWith, wallet.orSignature, texts, { address, chain })}
<form method="post" action="${paths.wallet}" data-wallet>${hiddenFields(WALLET_FORM, sessionToken, { handle, address, chain })}
${textField({ id: "signature", name: "signature", label: wallet.signature, hint: fillHtml(wallet.signatureHint, { prefix: PREFIX }), attributes: html`maxlength="16400" autocomplete="off" autocapitalize="none" spellcheck="false"` })}
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
