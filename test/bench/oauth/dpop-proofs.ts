import { generateKeyPairSync, type KeyObject, randomUUID, type webcrypto } from "node:crypto";
import { es256Signature } from "../../../services/auth/keys/sign-jwt.ts";
import { EXCHANGE_BODY } from "./application.ts";

/** The number of keys: one for each code of a round, as the page that signs a user in has just made its own. */
const KEYS = 12_000;

interface Prover {
  readonly privateKey: KeyObject;
  readonly jwk: webcrypto.JsonWebKey;
}

/** Makes DPoP proofs (RFC 9449) before they are sent, so that making them costs neither server anything. */
export class DpopProofs {
  readonly #provers: readonly Prover[] = Array.from({ length: KEYS }, newProver);

  /** Makes proofs for requests to a token endpoint within the next seconds, of each key in turn. */
  async make(tokenUrl: string, count: number): Promise<readonly string[]> {
    const nonce = await this.#nonceOf(tokenUrl);
    return Array.from({ length: count }, (_, index) => this.#prove(index, tokenUrl, { nonce }));
  }

  /** Asks for a nonce, which both servers demand, as an application does: by a proof without one. */
  async #nonceOf(tokenUrl: string): Promise<string> {
    const response = await fetch(tokenUrl, {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded", DPoP: this.#prove(0, tokenUrl, {}) },
      body: `${EXCHANGE_BODY}none`,
    });
    const nonce = response.headers.get("DPoP-Nonce");
    if (nonce === null) throw new Error(`no DPoP-Nonce: ${response.status} ${await response.text()}`);
    return nonce;
  }

  #prove(index: number, tokenUrl: string, claims: { readonly nonce?: string }): string {
    const { privateKey, jwk } = this.#provers[index % KEYS] as Prover;
    const iat = Math.floor(Date.now() / 1_000);
    const header = base64url({ typ: "dpop+jwt", alg: "ES256", jwk });
    const input = `${header}.${base64url({ jti: randomUUID(), htm: "POST", htu: tokenUrl, iat, ...claims })}`;
    return `${input}.${es256Signature(Buffer.from(input), privateKey).toString("base64url")}`;
  }
}

function base64url(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString("base64url");
}

function newProver(): Prover {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return { privateKey, jwk: publicKey.export({ format: "jwk" }) };
}
