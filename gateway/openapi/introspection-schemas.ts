import { integer, type Json, object, text } from "./schema-parts.ts";

/** Parameters with which a confidential client authenticates. A public one sends neither. */
export const ASSERTION_FIELDS: Readonly<Record<string, Json>> = {
  client_assertion_type: {
    const: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    description: "Beside `client_assertion`.",
  },
  client_assertion: text(
    "A JWT that a key of the client has signed (`private_key_jwt`, RFC 7523): required of a confidential client, refused of others.",
  ),
};

const ACTIVE_FIELDS: Readonly<Record<string, Json>> = {
  iss: text("The issuer."),
  sub: text("The user's name in this sale."),
  client_id: text("The client's UUID."),
  scope: text("The scopes that are in force, with one space between."),
  iat: integer("When it was issued, in seconds since 1970."),
  exp: integer("When it expires, in seconds since 1970."),
  token_type: text("How an access token is sent: `Bearer` or `DPoP`. A refresh token has none."),
  cnf: {
    ...object("The key that an access token is bound to (RFC 9449 section 6.2). Absent for a bearer token.", {
      jkt: text("The thumbprint of the key (RFC 7638)."),
    }),
  },
  aud: text("The audience of an access token. A refresh token has none."),
  jti: text("The ID of an access token. A refresh token has none."),
};

/** Request and answer of introspection. */
export const INTROSPECTION_SCHEMAS: Readonly<Record<string, Json>> = {
  IntrospectionRequest: object(
    "A token of the client itself (RFC 7662 section 2.1).",
    {
      token: { type: "string", minLength: 1, description: "An access or a refresh token." },
      token_type_hint: text("Which of the two it is; isn't needed."),
      client_id: text("The client's UUID, which the assertion says too."),
      ...ASSERTION_FIELDS,
    },
    ["token_type_hint", "client_id"],
  ),
  Introspection: object(
    "Whether a token counts now (RFC 7662 section 2.2). If not, there is no other member.",
    {
      active: { type: "boolean", description: "Whether it is a token of this client that counts now." },
      ...ACTIVE_FIELDS,
    },
    Object.keys(ACTIVE_FIELDS),
  ),
};
