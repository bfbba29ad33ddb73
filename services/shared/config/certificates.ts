import { X509Certificate } from "node:crypto";
import { ConfigError } from "./config-error.ts";

/** The same PEM, where there is any. @throws ConfigError where it holds no certificate */
export function checkedCertificates(variable: string, pem: string | undefined): string | undefined {
  if (pem === undefined) return undefined;
  try {
    new X509Certificate(pem);
    return pem;
  } catch {
    throw new ConfigError(variable, "expected certificates in PEM");
  }
}
