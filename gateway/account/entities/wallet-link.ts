import { timestampMs } from "@bufbuild/protobuf/wkt";
import { fill } from "../../../common/platform/language/message.ts";
import { WalletKind } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { showPage } from "../../web/pages/layout.ts";
import { sessionForm } from "../../web/pages/session-form.ts";
import { requestLanguage } from "../../web/texts/request-language.ts";
import { TEXTS } from "../../web/texts/texts.ts";
import { pageOf } from "./entity.ts";
import type { EntityDependencies } from "./entity-dependencies.ts";
import { orRefusal, ownEntityOf } from "./person.ts";
import { WALLET_FORM, walletAddressPage, walletTextPage } from "./wallet-link-page.ts";

/** `GET /account/entities/{uuid}/wallet`: asks for the wallet's address. */
export async function showWalletLink(c: AuthContext, dependencies: EntityDependencies) {
  const { entity, person } = await ownEntityOf(c, dependencies);
  const view = { entity, sessionToken: person.sessionToken, address: "", chain: "1" };
  return showPage(c, walletAddressPage(view, requestLanguage(c.env.incoming)));
}

/** `POST /account/entities/{uuid}/wallet`: shows the text to sign; with the signature, links the wallet. */
export async function linkWallet(c: AuthContext, dependencies: EntityDependencies) {
  const { form, sessionToken } = await sessionForm(c, dependencies, WALLET_FORM);
  const { entity, person } = await ownEntityOf(c, dependencies);
  const { wallets } = dependencies.participation;
  const [address, chain, handle] = [form.text("address").trim(), form.text("chain").trim(), form.text("handle")];
  const language = requestLanguage(c.env.incoming);
  const { wallet } = TEXTS[language];
  const again = (error: string) =>
    showPage(c, walletAddressPage({ entity, sessionToken, address, chain, error }, language));
  if (handle === "") {
    const kind = address.startsWith("0x") ? WalletKind.EVM : WalletKind.SVM;
    const chainId = BigInt(/^\d{1,18}$/.exec(chain)?.[0] ?? "0");
    const request = { entityUuid: entity.uuid, address, kind, chainId: kind === WalletKind.EVM ? chainId : 0n };
    const challenge = await orRefusal(() => wallets.beginWalletLink(request, person.options));
    if ("refusal" in challenge) return again(challenge.refusal);
    const { linkHandle, text, expiresAt } = challenge.done;
    if (expiresAt === undefined) throw new TypeError("BeginWalletLinkResponse is incomplete");
    const view = { entity, sessionToken, address, chain, handle: linkHandle, text, endsAtMs: timestampMs(expiresAt) };
    return showPage(c, walletTextPage(view, language));
  }
  const signature = signatureBytes(form.text("signature"));
  if (signature === undefined) return again(wallet.badSignature);
  const linked = await orRefusal(() => wallets.completeWalletLink({ linkHandle: handle, signature }, person.options));
  if ("refusal" in linked) return again(fill(wallet.refused, { reason: linked.refusal }));
  return c.redirect(pageOf(entity.uuid, "linked"), 303);
}

const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
/** The longest signature that the contract allows, in bytes. */
const MAX_BYTES = 8192;
/** Base58 is read for signatures of 64 bytes only, as its cost grows with the square of the length. */
const MAX_BASE58_CHARACTERS = 90;

/** Reads a pasted signature: hexadecimal with `0x`, or base58. @returns undefined for other text */
export function signatureBytes(entered: string): Uint8Array<ArrayBuffer> | undefined {
  const text = entered.replaceAll(/\s+/g, "");
  if (/^0x(?:[0-9a-f]{2})+$/i.test(text) && text.length <= 2 + 2 * MAX_BYTES) {
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
