import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { requireProgram } from "./program.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** PEM. */
export interface TlsCertificate {
  readonly cert: string;
  readonly key: string;
}

/** A certificate and the authority that has issued it. */
export interface IssuedCertificate extends TlsCertificate {
  /** PEM. */
  readonly authority: string;
}

const EC_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];

/** A certificate that an authority of this run's own has issued. Deno's fetch takes no self-signed one, even if it is trusted. */
export async function issuedCertificate(...hosts: readonly string[]): Promise<IssuedCertificate> {
  const folder = await temporaryFolder();
  const file = (name: string) => join(folder.path, name);
  const openssl = (...args: readonly string[]) => promisify(execFile)(requireProgram("openssl"), ["req", ...args]);
  const read = (name: string) => readFile(file(name), "utf8");
  const newFiles = (name: string) => ["-keyout", file(`${name}.key`), "-out", file(`${name}.pem`)];
  const extensions = ["basicConstraints=critical,CA:FALSE", `subjectAltName=${hosts.map((host) => `DNS:${host}`)}`];
  const issuer = ["-CA", file("authority.pem"), "-CAkey", file("authority.key")];
  try {
    await openssl("-x509", ...EC_KEY, "-subj", "/CN=authority", ...newFiles("authority"));
    const added = extensions.flatMap((extension) => ["-addext", extension]);
    await openssl("-x509", ...EC_KEY, "-subj", `/CN=${hosts[0]}`, ...added, ...issuer, ...newFiles("issued"));
    return { cert: await read("issued.pem"), key: await read("issued.key"), authority: await read("authority.pem") };
  } finally {
    await folder.remove();
  }
}

/** A certificate of this run's own, which nobody trusts. */
export async function selfSignedCertificate(...hosts: readonly string[]): Promise<TlsCertificate> {
  const folder = await temporaryFolder();
  const [cert, key] = [join(folder.path, "cert.pem"), join(folder.path, "key.pem")];
  const names = `subjectAltName=${hosts.map((host) => `DNS:${host}`).join(",")}`;
  const files = ["-subj", `/CN=${hosts[0]}`, "-addext", names, "-keyout", key, "-out", cert];
  try {
    await promisify(execFile)(requireProgram("openssl"), ["req", "-x509", ...EC_KEY, ...files]);
    return { cert: await readFile(cert, "utf8"), key: await readFile(key, "utf8") };
  } finally {
    await folder.remove();
  }
}

/** A certificate of this run's own that ended a day ago. */
export async function expiredCertificate(host: string): Promise<TlsCertificate> {
  const folder = await temporaryFolder();
  const file = (name: string) => join(folder.path, name);
  const openssl = (...args: readonly string[]) => promisify(execFile)(requireProgram("openssl"), args);
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", file("key.pem")];
  try {
    await writeFile(file("extensions"), `subjectAltName=DNS:${host}`);
    await openssl("req", "-new", ...key, "-subj", `/CN=${host}`, "-out", file("request.pem"));
    const signed = ["-signkey", file("key.pem"), "-days", "-1", "-extfile", file("extensions")];
    await openssl("x509", "-req", "-in", file("request.pem"), ...signed, "-out", file("cert.pem"));
    return { cert: await readFile(file("cert.pem"), "utf8"), key: await readFile(file("key.pem"), "utf8") };
  } finally {
    await folder.remove();
  }
}
