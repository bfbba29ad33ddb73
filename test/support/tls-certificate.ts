import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { requireProgram } from "./program.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** PEM. */
export interface TlsCertificate {
  readonly cert: string;
  readonly key: string;
}

/** A certificate of this run's own, which nobody trusts. */
export async function selfSignedCertificate(...hosts: readonly string[]): Promise<TlsCertificate> {
  const folder = await temporaryFolder();
  const [cert, key] = [join(folder.path, "cert.pem"), join(folder.path, "key.pem")];
  const names = `subjectAltName=${hosts.map((host) => `DNS:${host}`).join(",")}`;
  const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  const files = ["-subj", `/CN=${hosts[0]}`, "-addext", names, "-keyout", key, "-out", cert];
  try {
    await promisify(execFile)(requireProgram("openssl"), ["req", "-x509", ...kind, ...files]);
    return { cert: await readFile(cert, "utf8"), key: await readFile(key, "utf8") };
  } finally {
    await folder.remove();
  }
}
