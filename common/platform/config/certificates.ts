import { X509Certificate } from "node:crypto";
import { ConfigError } from "./config-error.ts";

/** Returns `pem` itself. @throws ConfigError if it holds no certificate */
export function checkedCertificates(variable: string, pem: string | undefined): string | undefined {
  if (pem === undefined) return undefined;
  try {
    new X509Certificate(pem);
    return pem;
  } catch {
    throw new ConfigError(variable, "expected certificates in PEM");
  }
}
