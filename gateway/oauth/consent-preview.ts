import { create } from "@bufbuild/protobuf";
import type { Language } from "../../common/platform/language/language.ts";
import { RequestingClientSchema } from "../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import type { Client } from "../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import type { Page } from "../web/pages/layout.ts";
import { consentPage } from "./consent-page.ts";

/** The application of a preview, and the founder who sees it in the place of a user. */
export interface PreviewedConsent {
  readonly client: Client;
  readonly sale: { readonly uuid: string; readonly name: string };
  readonly account: { readonly uuid: string; readonly email: string };
  readonly sessionToken: string;
}

/** Returns the consent page of an application as its users see it, for its founder. No authorization has begun. */
export function consentPreview({ client, sale, account, sessionToken }: PreviewedConsent, language: Language): Page {
  const { name = "", scopes = [], redirectUris = [] } = client.definition ?? {};
  const view = {
    authorizationHandle: "preview",
    accountUuid: account.uuid,
    email: account.email,
    sessionToken,
    choice: { kind: "none" },
    identifies: false,
    client: create(RequestingClientSchema, {
      clientUuid: client.uuid,
      name,
      saleUuid: sale.uuid,
      saleName: sale.name,
      testTenancy: client.testTenancy,
      squareLogo: client.squareLogo,
      wideLogo: client.wideLogo,
      redirectHost: hostOf(redirectUris[0]),
    }),
    scopes: scopes.map(({ scope, required }) => ({
      $typeName: "tidemark.auth.v1.ConsentScope" as const,
      scope,
      required,
      granted: required,
    })),
  } as const;
  return consentPage(view, language);
}

function hostOf(uri: string | undefined): string {
  return uri === undefined ? "your application" : new URL(uri).host;
}
