import { timestampMs } from "@bufbuild/protobuf/wkt";
import { WalletKind } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { showPage } from "../../web/pages/layout.ts";
import { sessionForm } from "../../web/pages/session-form.ts";
import { pageOf } from "./entity.ts";
import type { EntityDependencies } from "./entity-dependencies.ts";
import { orRefusal, ownEntityOf } from "./person.ts";
import { signatureBytes } from "./signature-entry.ts";
import { WALLET_FORM, walletAddressPage, walletTextPage } from "./wallet-link-page.ts";

/** `GET /account/entities/{uuid}/wallet`: asks for the wallet's address. */
export async function showWalletLink(c: AuthContext, dependencies: EntityDependencies) {
  const { entity, person } = await ownEntityOf(c, dependencies);
  return showPage(c, walletAddressPage({ entity, sessionToken: person.sessionToken, address: "", chain: "1" }));
}

/** `POST /account/entities/{uuid}/wallet`: shows the text to sign; with the signature, links the wallet. */
export async function linkWallet(c: AuthContext, dependencies: EntityDependencies) {
  const { form, sessionToken } = await sessionForm(c, dependencies, WALLET_FORM);
  const { entity, person } = await ownEntityOf(c, dependencies);
  const { wallets } = dependencies.participation;
  const [address, chain, handle] = [form.text("address").trim(), form.text("chain").trim(), form.text("handle")];
  const again = (error: string) => showPage(c, walletAddressPage({ entity, sessionToken, address, chain, error }));
  if (handle === "") {
    const kind = address.startsWith("0x") ? WalletKind.EVM : WalletKind.SVM;
    const chainId = BigInt(/^\d{1,18}$/.exec(chain)?.[0] ?? "0");
    const request = { entityUuid: entity.uuid, address, kind, chainId: kind === WalletKind.EVM ? chainId : 0n };
    const begun = await orRefusal(() => wallets.beginWalletLink(request, person.options));
    if ("refusal" in begun) return again(begun.refusal);
    const { linkHandle, text, expiresAt } = begun.done;
    if (expiresAt === undefined) throw new TypeError("BeginWalletLinkResponse is incomplete");
    return showPage(
      c,
      walletTextPage({
        entity,
        sessionToken,
        address,
        chain,
        handle: linkHandle,
        text,
        endsAtMs: timestampMs(expiresAt),
      }),
    );
  }
  const signature = signatureBytes(form.text("signature"));
  if (signature === undefined)
    return again("The signature was no hexadecimal or base58 text. Begin again with a new text.");
  const linked = await orRefusal(() => wallets.completeWalletLink({ linkHandle: handle, signature }, person.options));
  if ("refusal" in linked) return again(`${linked.refusal} Begin again with a new text.`);
  return c.redirect(pageOf(entity.uuid, "linked"), 303);
}
