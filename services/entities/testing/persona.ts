import { createHmac, randomUUID } from "node:crypto";
import type { ReceivedCallback } from "../setup/callback.ts";

export const PERSONA_SECRET = "wbhsec_0b7b4c9e-5f5a-4a3f-9d7e-0d9b6a1f2c3d";
export const OTHER_PERSONA_SECRET = "wbhsec_1c8c5d0f-6a6b-4b40-8e8f-1e0c7b203d4e";
export const PERSONA_TEMPLATE = "itmpl_p8ANAJy9iqadm2buF2xcVgqH";

/** Settings of a deployment where Persona checks identities. */
export const PERSONA_SETTINGS = {
  IDENTITY_PROVIDER: "webhook",
  IDENTITY_PROTOCOL: "persona",
  IDENTITY_START_URL: `https://inquiry.withpersona.com/inquiry?inquiry-template-id=${PERSONA_TEMPLATE}&environment-id=env_XGuYWp7W`,
  IDENTITY_WEBHOOK_SECRET: PERSONA_SECRET,
};

/** The parts of an event that tests change. */
export interface PersonaEvent {
  /** `inquiry.approved` by default. */
  readonly name?: string;
  /** The reference ID of the inquiry: the handle of the start URL. */
  readonly handle: string | null;
  /** When the event came about, in milliseconds since 1970. */
  readonly createdAtMs: number;
  readonly id?: string;
  /** The ID of the inquiry. */
  readonly inquiry?: string;
  readonly template?: string | undefined;
  /** The identity documents; by default one that has passed. */
  readonly documents?: readonly object[];
}

/** Returns the attributes of an identity document that has passed. @param given replaces or adds some */
export function governmentId(given: object = {}): object {
  return {
    status: "passed",
    "created-at": "2023-11-16T01:31:16.000Z",
    "completed-at": "2023-11-16T01:31:20.000Z",
    "country-code": "DE",
    "id-class": "pp",
    "name-first": "Jane",
    "name-last": "Doe",
    birthdate: "1995-09-08",
    "identification-number": "C01X0 006-H",
    ...given,
  };
}

/**
 * Returns the body of an event of an inquiry, with the fields of Persona's documentation: "Webhooks", "Retrieve an Inquiry" and
 * "Retrieve a Verification" of docs.withpersona.com, API version 2023-01-05 and later, in kebab case.
 */
export function personaBody({ name = "inquiry.approved", handle, createdAtMs, ...given }: PersonaEvent): string {
  const { id = `evt_${randomUUID().replaceAll("-", "")}`, inquiry = "inq_2CVZ4HyVg7qaboXz2PUHknAn" } = given;
  const { documents = [governmentId()] } = given;
  const template = "template" in given ? given.template : PERSONA_TEMPLATE;
  return JSON.stringify({
    data: {
      type: "event",
      id,
      attributes: {
        name,
        payload: {
          data: {
            type: "inquiry",
            id: inquiry,
            attributes: {
              status: name.replace("inquiry.", ""),
              "reference-id": handle,
              note: null,
              behaviors: { "bot-score": 1, "completion-time": 40.172463903, "devtools-open": false },
              tags: [],
              creator: "API",
              "reviewer-comment": null,
              "created-at": "2023-11-16T01:30:00.000Z",
              "completed-at": "2023-11-16T01:32:00.000Z",
              "decisioned-at": null,
              "expired-at": null,
              fields: {
                "name-first": { type: "string", value: "Jane" },
                "selected-country-code": { type: "string", value: "US" },
                "address-country-code": { type: "string", value: "US" },
                "identification-number": { type: "string", value: "of-the-address" },
              },
            },
            relationships: {
              account: { data: { id: "act_n2uq9eKMboaCQzu9ALWYcVdN", type: "account" } },
              template: { data: null },
              ...(template !== undefined && {
                "inquiry-template": { data: { id: template, type: "inquiry-template" } },
              }),
              reports: { data: [] },
              verifications: { data: [{ id: "ver_KnqQRXmxmtquRE65CHTzymhR", type: "verification/government-id" }] },
            },
          },
          included: [
            { type: "inquiry-template", id: template, attributes: { name: "KYC", status: "active" } },
            ...documents.map((attributes) => ({
              type: "verification/government-id",
              id: "ver_KnqQRXmxmtquRE65CHTzymhR",
              attributes,
            })),
            {
              type: "verification/selfie",
              id: "ver_2aguhcwq66zcmqipmrqjxw68",
              attributes: { status: "passed", "created-at": "2023-11-16T01:31:30.000Z", "country-code": "US" },
            },
          ],
        },
        "created-at": new Date(createdAtMs).toISOString(),
      },
    },
  });
}

/** Returns a set of the header `Persona-Signature`. @param sentAtMs milliseconds since 1970 */
export function personaSignature(body: string, sentAtMs: number, secret: string = PERSONA_SECRET): string {
  const time = Math.floor(sentAtMs / 1_000);
  return `t=${time},v1=${createHmac("sha256", secret).update(`${time}.${body}`).digest("hex")}`;
}

/** Returns a callback with a header, as the gateway passes it on. */
export function personaCallback(body: string, signature: string): ReceivedCallback & { body: Uint8Array<ArrayBuffer> } {
  const bytes = Uint8Array.from(Buffer.from(body));
  return { webhookId: "", webhookTimestamp: "", webhookSignature: "", personaSignature: signature, body: bytes };
}
