import { createPrivateKey, X509Certificate } from "node:crypto";
import { checkedCertificates } from "../../config/certificates.ts";
import { ConfigError, type Env } from "../../config/env.ts";

/** A certificate with its chain, and its private key, both in PEM. */
export interface TlsPair {
  readonly cert: string;
  readonly key: string;
}

/** The certificate of a server. Its files may be replaced while the server runs. */
export interface RpcTls {
  /** Reads the current pair. @throws Error if it can't be read or doesn't match, as halfway through a renewal */
  read(): TlsPair;
}

/**
 * Reads `RPC_TLS_CERT` and `RPC_TLS_KEY`, the certificate of this process's RPC port. Undefined if neither is set.
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

/** Reads `RPC_CA`, the authorities to trust in calls to https services. @throws ConfigError */
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
