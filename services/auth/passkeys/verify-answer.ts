import type {
  AuthenticationResponseJSON,
  RegistrationResponseJSON,
  VerifiedRegistrationResponse,
} from "@simplewebauthn/server";
import type { Passkey } from "./passkey.ts";
import type { RelyingParty } from "./relying-party.ts";

/** COSE algorithms (RFC 9053, RFC 8812) that a passkey may sign with, the most wanted first: EdDSA, ES256, RS256. */
export const PASSKEY_ALGORITHMS = [-8, -7, -257];

/**
 * Sizes of an RSA modulus. Size and exponent choose how long a signature takes to verify, which anybody can have done who has added
 * a passkey.
 */
const MODULUS_BYTES = { min: 256, max: 512 };
/** 65537, the exponent of authenticators. */
const EXPONENT = Buffer.from([1, 0, 1]);

/** The part of a new passkey that its authenticator decides. */
export type NewCredential = Pick<
  Passkey,
  "credentialId" | "publicKey" | "counter" | "backupEligible" | "backedUp" | "aaguid"
>;

/** The part of a sign-in that the authenticator has signed. */
export type SignedState = Pick<Passkey, "counter" | "backupEligible" | "backedUp">;

/** The expectation of an answer. */
export interface Expected {
  readonly challenge: string;
  readonly relyingParty: RelyingParty;
}

/**
 * Verifies the answer of a new passkey (WebAuthn section 7.1), with user presence and verification.
 *
 * @returns undefined for an answer that is wrong in any way
 */
export async function verifyRegistration(
  response: RegistrationResponseJSON,
  { challenge, relyingParty }: Expected,
): Promise<NewCredential | undefined> {
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  const { cose, decodeAttestationObject, decodeCredentialPublicKey } = await import("@simplewebauthn/server/helpers");
  return undefinedIfWrong(async () => {
    const statement = decodeAttestationObject(Buffer.from(response.response.attestationObject, "base64url"));
    // None was asked for, and the library would load the revocation lists that a certificate of the sender names.
    if (hasCertificates(statement)) return undefined;
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: relyingParty.origin,
      expectedRPID: relyingParty.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: PASSKEY_ALGORITHMS,
    });
    const isNamed = registrationInfo?.credential.id === response.id;
    if (!verified || !isNamed) return undefined;
    const key = decodeCredentialPublicKey(registrationInfo.credential.publicKey);
    const { n, e } = cose.COSEKEYS;
    if (cose.isCOSEPublicKeyRSA(key) && !isUsualRsaKey(key.get(n), key.get(e))) return undefined;
    return credentialOf(registrationInfo);
  });
}

/** Whether an RSA key has the modulus and exponent of an authenticator. */
function isUsualRsaKey(modulus?: Uint8Array, exponent?: Uint8Array): boolean {
  const { min, max } = MODULUS_BYTES;
  const bytes = modulus?.length ?? 0;
  return bytes >= min && bytes <= max && modulus?.[0] !== 0 && EXPONENT.equals(exponent ?? new Uint8Array());
}

type AttestationObject = ReturnType<typeof import("@simplewebauthn/server/helpers")["decodeAttestationObject"]>;

/** Whether an attestation is more than none, or a signature by the passkey itself, which browsers leave in. */
function hasCertificates(attestation: AttestationObject): boolean {
  const format = attestation.get("fmt");
  if (format === "none") return false;
  return format !== "packed" || attestation.get("attStmt").get("x5c") !== undefined;
}

function credentialOf({
  credential,
  aaguid,
  credentialDeviceType,
  credentialBackedUp,
}: NonNullable<VerifiedRegistrationResponse["registrationInfo"]>): NewCredential {
  return {
    credentialId: credential.id,
    publicKey: credential.publicKey,
    counter: credential.counter,
    backupEligible: credentialDeviceType === "multiDevice",
    backedUp: credentialBackedUp,
    aaguid,
  };
}

/**
 * Verifies the answer of a sign-in (WebAuthn section 7.2), with user presence and verification, but not its counter: that
 * is compared where it is stored.
 *
 * @returns undefined for an answer that is wrong in any way
 */
export async function verifyAssertion(
  response: AuthenticationResponseJSON,
  passkey: Pick<Passkey, "credentialId" | "publicKey" | "backupEligible">,
  { challenge, relyingParty }: Expected,
): Promise<SignedState | undefined> {
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  return undefinedIfWrong(async () => {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: relyingParty.origin,
      expectedRPID: relyingParty.id,
      credential: { id: passkey.credentialId, publicKey: passkey.publicKey, counter: 0 },
      requireUserVerification: true,
    });
    const backupEligible = authenticationInfo.credentialDeviceType === "multiDevice";
    if (!verified || backupEligible !== passkey.backupEligible) return undefined;
    return { counter: authenticationInfo.newCounter, backupEligible, backedUp: authenticationInfo.credentialBackedUp };
  });
}

/** The library throws errors without a type for all that is wrong with an answer. */
async function undefinedIfWrong<Result>(work: () => Promise<Result | undefined>): Promise<Result | undefined> {
  try {
    return await work();
  } catch {
    return undefined;
  }
}
