import { createPrivateKey, X509Certificate } from "node:crypto";
import { checkedCertificates } from "../../config/certificates.ts";
import { ConfigError, type Env } from "../../config/env.ts";

/** A certificate with the chain behind it, and its private key; both PEM. */
export interface TlsPair {
  readonly cert: string;
  readonly key: string;
}

/** What a server proves its name with; files of it may be replaced while it runs. */
export interface RpcTls {
  /** The pair as it is now. @throws Error where it can't be read, or doesn't fit together, as halfway through a renewal */
  read(): TlsPair;
}

/**
 * `RPC_TLS_CERT` and `RPC_TLS_KEY`: what this process's RPC port has TLS with. Undefined where neither is set.
 *
 * @throws ConfigError naming the variable, which never shows the key
 */
export function readRpcTls(env: Env): RpcTls | undefined {
  const cert = env.optionalRenewable("RPC_TLS_CERT");
  const key = env.optionalRenewable("RPC_TLS_KEY");
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined) throw new ConfigError("RPC_TLS_CERT", "expected it together with RPC_TLS_KEY");
  if (key === undefined) throw new ConfigError("RPC_TLS_KEY", "expected it together with RPC_TLS_CERT");
  const tls = { read: () => checkedPair({ cert: cert.read(), key: key.read() }) };
  tls.read();
  return tls;
}

/** `RPC_CA`: which authorities the certificates of https services that are called must come from. @throws ConfigError */
export function readRpcCa(env: Env): string | undefined {
  return checkedCertificates("RPC_CA", env.optionalString("RPC_CA"));
}

function checkedPair(pair: TlsPair): TlsPair {
  checkedCertificates("RPC_TLS_CERT", pair.cert);
  if (fits(pair)) return pair;
  throw new ConfigError("RPC_TLS_KEY", "expected the private key of RPC_TLS_CERT in PEM");
}

function fits({ cert, key }: TlsPair): boolean {
  try {
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}
