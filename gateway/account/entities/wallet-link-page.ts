import { html } from "hono/html";
import type { Entity } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { errorSummary, hiddenFields, textField, titleWith } from "../../web/pages/fields.ts";
import type { Page } from "../../web/pages/layout.ts";
import { entityPaths } from "./entity-paths.ts";

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
    content: html`${errorSummary(error, "address")}<h1>${title}</h1>
<p>to <strong><bdi>${entity.label}</bdi></strong>. The wallet signs a text, which shows that it is yours. That sends no transaction and costs nothing.</p>
<form method="post" action="${paths.wallet}">${hiddenFields(WALLET_FORM, sessionToken)}
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
    content: html`<h1>${title}</h1>
<p>Sign it with <code>${address}</code>, exactly as it is, and paste the signature here. It can be used until ${new Date(endsAtMs).toISOString().slice(11, 16)} UTC.</p>
<pre class="detail sign-text" tabindex="0" aria-label="The text to sign">${text}</pre>
<form method="post" action="${paths.wallet}">${hiddenFields(WALLET_FORM, sessionToken, { handle, address, chain })}
${textField({ id: "signature", name: "signature", label: "Signature", hint: html`Hexadecimal, which begins with <code>0x</code>; base58 from a wallet on Solana.`, attributes: html`maxlength="16400" autocomplete="off" autocapitalize="none" spellcheck="false"` })}
<div class="actions"><button class="primary">Link the wallet</button><a class="button secondary" href="${paths.entity}">Cancel</a></div></form>`,
  };
}
