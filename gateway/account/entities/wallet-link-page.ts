import { html } from "hono/html";
import type { Entity } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { errorSummary, hiddenFields, textField, titleWith } from "../../web/pages/fields.ts";
import type { Html, Page } from "../../web/pages/layout.ts";
import { entityPaths } from "./entity-paths.ts";
import { WALLET_SCRIPT } from "./wallet-assets.ts";

export const WALLET_FORM = "link wallet";

export interface WalletLinkView {
  readonly entity: Entity;
  readonly sessionToken: string;
  readonly address: string;
  /** The EIP-155 ID of the chain, as entered. */
  readonly chain: string;
  readonly error?: string;
}

/** Returns the page that asks which wallet to link. */
export function walletAddressPage({ entity, sessionToken, address, chain, error }: WalletLinkView): Page {
  const title = "Link a wallet";
  const paths = entityPaths(entity.uuid);
  return {
    title: titleWith(title, error),
    status: error === undefined ? 200 : 422,
    script: WALLET_SCRIPT,
    content: html`${errorSummary(error, "address")}<h1>${title}</h1>
<p>to <strong><bdi>${entity.label}</bdi></strong>. The wallet signs a text, which shows that it is yours. That sends no transaction and costs nothing.</p>
${walletPanel("Connect a wallet", "Or enter its address")}
<form method="post" action="${paths.wallet}" data-wallet>${hiddenFields(WALLET_FORM, sessionToken)}
${textField({ id: "address", name: "address", label: "Address of the wallet", hint: html`It begins with <code>0x</code>, or is an address on Solana.`, value: address, error, attributes: html`maxlength="64" autocomplete="off" autocapitalize="none" spellcheck="false"` })}
${textField({ id: "chain", name: "chain", label: "Chain ID", hint: html`1 is Ethereum, 8453 is Base. Leave it as it is for a wallet on Solana.`, value: chain, isOptional: true, attributes: html`maxlength="18" inputmode="numeric" autocomplete="off"` })}
<div class="actions"><button class="primary">Show the text to sign</button><a class="button secondary" href="${paths.entity}">Cancel</a></div></form>`,
  };
}

export interface WalletTextView extends WalletLinkView {
  readonly handle: string;
  readonly text: string;
  readonly endsAtMs: number;
}

/** Returns the page that shows the text to sign and takes the signature. */
export function walletTextPage({ entity, sessionToken, address, chain, handle, text, endsAtMs }: WalletTextView): Page {
  const title = "Sign this text";
  const paths = entityPaths(entity.uuid);
  return {
    title,
    isWide: true,
    script: WALLET_SCRIPT,
    content: html`<h1>${title}</h1>
<p>Sign it with <code>${address}</code>, exactly as it is. It can be used until ${new Date(endsAtMs).toISOString().slice(11, 16)} UTC.</p>
<pre class="detail sign-text" tabindex="0" aria-label="The text to sign">${text}</pre>
${walletPanel("Sign with a wallet", "Or paste the signature", { address, chain })}
<form method="post" action="${paths.wallet}" data-wallet>${hiddenFields(WALLET_FORM, sessionToken, { handle, address, chain })}
${textField({ id: "signature", name: "signature", label: "Signature", hint: html`Hexadecimal, which begins with <code>0x</code>; base58 from a wallet on Solana.`, attributes: html`maxlength="16400" autocomplete="off" autocapitalize="none" spellcheck="false"` })}
<div class="actions"><button class="primary">Link the wallet</button><a class="button secondary" href="${paths.entity}">Cancel</a></div></form>`,
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
  signer?: { readonly address: string; readonly chain: string },
): Html {
  const data = signer && html` data-address="${signer.address}" data-chain="${signer.chain}"`;
  return html`<section class="wallets-here" aria-labelledby="wallets-here" data-wallets${data} hidden>
<h2 id="wallets-here">${title}</h2><div class="actions"></div><p role="status"></p><h2>${otherwise}</h2></section>`;
}
