import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

/** Everything that an attacker's browser or authenticator can say differently in an answer. */
export interface AnswerChanges {
  readonly type?: string;
  readonly challenge?: string;
  readonly origin?: string;
  readonly crossOrigin?: unknown;
  readonly topOrigin?: string;
  readonly rpId?: string;
  readonly userPresent?: boolean;
  readonly userVerified?: boolean;
  readonly backupEligible?: boolean;
  readonly backedUp?: boolean;
  readonly counter?: number;
  readonly userHandle?: string;
  readonly credentialId?: string;
  /** Signs with this key in place of the passkey's own. */
  readonly privateKey?: KeyObject;
  /** COSE algorithm that a new passkey names; -7 is ES256. */
  readonly algorithm?: number;
  /** COSE_Key of a new passkey, in place of its own. */
  readonly publicKey?: CborMap;
  /** Attestation of a new passkey, as CBOR: `fmt` and `attStmt`. */
  readonly attestation?: { readonly format: string; readonly statement: CborMap };
}

/** A passkey that an authenticator keeps. */
export interface KeptPasskey {
  readonly credentialId: string;
  readonly userHandle: string;
  readonly rpId: string;
  readonly privateKey: KeyObject;
  counter: number;
}

export interface SoftwareAuthenticatorOptions {
  /** The origin of the page that asks. */
  readonly origin: string;
  /** Whether its counter rises with each use; else it stays 0, as with passkeys that are copied to other devices. */
  readonly hasCounter?: boolean;
  readonly backedUp?: boolean;
}

/** An authenticator with its browser, which makes real answers (WebAuthn section 6) of ES256. A test can change each part. */
export class SoftwareAuthenticator {
  readonly passkeys: KeptPasskey[] = [];
  readonly #origin: string;
  readonly #hasCounter: boolean;
  readonly #backedUp: boolean;

  constructor({ origin, hasCounter = true, backedUp = false }: SoftwareAuthenticatorOptions) {
    this.#origin = origin;
    this.#hasCounter = hasCounter;
    this.#backedUp = backedUp;
  }

  /** Makes a passkey. @param optionsJson the question @returns `RegistrationResponseJSON` */
  create(optionsJson: string, changes: AnswerChanges = {}): string {
    const { challenge, rp, user } = JSON.parse(optionsJson);
    const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const credentialId = changes.credentialId ?? randomBytes(16).toString("base64url");
    const passkey = { credentialId, userHandle: user.id, rpId: rp.id, privateKey, counter: 0 };
    this.passkeys.push(passkey);
    const coseKey = changes.publicKey ?? cosePublicKey(publicKey, changes.algorithm ?? -7);
    const attested = attestedCredential(credentialId, cbor(coseKey));
    const authData = Buffer.concat([this.#authenticatorData(passkey, changes, 0x40), attested]);
    const { format, statement } = changes.attestation ?? { format: "none", statement: new Map() };
    const attestationObject = cbor(
      new Map<string, Cbor>([
        ["fmt", format],
        ["attStmt", statement],
        ["authData", authData],
      ]),
    ).toString("base64url");
    const clientDataJSON = this.#clientData("webauthn.create", challenge, changes).toString("base64url");
    const response = { clientDataJSON, attestationObject, transports: ["internal", "hybrid"] };
    return credentialJson(credentialId, response);
  }

  /** Signs in with the passkey that was made last, or another. @returns `AuthenticationResponseJSON` */
  get(optionsJson: string, changes: AnswerChanges = {}, passkey = this.passkeys.at(-1)): string {
    if (passkey === undefined) throw new Error("the authenticator has no passkey");
    if (this.#hasCounter) passkey.counter++;
    const { challenge } = JSON.parse(optionsJson);
    const clientData = this.#clientData("webauthn.get", challenge, changes);
    const authData = this.#authenticatorData(passkey, changes, 0);
    const clientDataHash = createHash("sha256").update(clientData).digest();
    const signature = sign(
      "sha256",
      Buffer.concat([authData, clientDataHash]),
      changes.privateKey ?? passkey.privateKey,
    );
    return credentialJson(changes.credentialId ?? passkey.credentialId, {
      clientDataJSON: clientData.toString("base64url"),
      authenticatorData: authData.toString("base64url"),
      signature: signature.toString("base64url"),
      userHandle: changes.userHandle ?? passkey.userHandle,
    });
  }

  #clientData(type: string, challenge: string, changes: AnswerChanges): Buffer {
    const { crossOrigin = false, topOrigin } = changes;
    const data = {
      type: changes.type ?? type,
      challenge: changes.challenge ?? challenge,
      origin: changes.origin ?? this.#origin,
      crossOrigin,
      ...(topOrigin !== undefined && { topOrigin }),
    };
    return Buffer.from(JSON.stringify(data));
  }

  #authenticatorData(passkey: KeptPasskey, changes: AnswerChanges, attestedFlag: number): Buffer {
    const { userPresent = true, userVerified = true } = changes;
    const { backupEligible = this.#backedUp, backedUp = this.#backedUp } = changes;
    const flags = [userPresent && 0x01, userVerified && 0x04, backupEligible && 0x08, backedUp && 0x10, attestedFlag];
    const data = Buffer.alloc(37);
    createHash("sha256")
      .update(changes.rpId ?? passkey.rpId)
      .digest()
      .copy(data);
    data.writeUInt8(
      flags.reduce<number>((sum, flag) => sum | Number(flag), 0),
      32,
    );
    data.writeUInt32BE(changes.counter ?? passkey.counter, 33);
    return data;
  }
}

function credentialJson(id: string, response: object): string {
  return JSON.stringify({ id, rawId: id, type: "public-key", clientExtensionResults: {}, response });
}

/** Attested credential data (WebAuthn section 6.5.1), of an authenticator that doesn't name its model. */
function attestedCredential(credentialId: string, publicKey: Buffer): Buffer {
  const id = Buffer.from(credentialId, "base64url");
  const length = Buffer.alloc(2);
  length.writeUInt16BE(id.length);
  return Buffer.concat([Buffer.alloc(16), length, id, publicKey]);
}

/** A COSE_Key of P-256 (RFC 9053 section 7.1.1). */
function cosePublicKey(key: KeyObject, algorithm: number): CborMap {
  const { x = "", y = "" } = key.export({ format: "jwk" });
  return new Map<number, Cbor>([
    [1, 2],
    [3, algorithm],
    [-1, 1],
    [-2, Buffer.from(x, "base64url")],
    [-3, Buffer.from(y, "base64url")],
  ]);
}

/** A COSE_Key of RS256 (RFC 8230 section 4), as which any bytes pass. */
export function coseRsaKey(modulusBytes: number, exponent: readonly number[]): CborMap {
  return new Map<number, Cbor>([
    [1, 3],
    [3, -257],
    [-1, Buffer.alloc(modulusBytes, 0xff)],
    [-2, Buffer.from(exponent)],
  ]);
}

type CborMap = ReadonlyMap<string | number, Cbor>;
type Cbor = string | number | Uint8Array | readonly Cbor[] | CborMap;

/** Encodes CBOR (RFC 8949), as far as answers need it: integers of 16 bits, bytes, texts, arrays and maps. */
function cbor(value: Cbor): Buffer {
  if (typeof value === "number") return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === "string") return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  if (value instanceof Map) {
    const entries = [...value].flatMap(([key, each]) => [cbor(key), cbor(each)]);
    return Buffer.concat([head(5, value.size), ...entries]);
  }
  const items = value as readonly Cbor[];
  return Buffer.concat([head(4, items.length), ...items.map(cbor)]);
}

function head(majorType: number, argument: number): Buffer {
  const type = majorType << 5;
  if (argument < 24) return Buffer.of(type | argument);
  if (argument < 0x1_00) return Buffer.of(type | 24, argument);
  return Buffer.of(type | 25, argument >> 8, argument & 0xff);
}
