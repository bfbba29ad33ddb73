import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { requireProgram } from "./program.ts";
import { type TemporaryFolder, temporaryFolder } from "./temporary-folder.ts";

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
  const authority = await TestAuthority.create();
  try {
    return await authority.issue(...hosts);
  } finally {
    await authority.remove();
  }
}

/** An authority of this run's own, which issues as many certificates as one likes. */
export class TestAuthority {
  readonly #folder: TemporaryFolder;

  private constructor(folder: TemporaryFolder) {
    this.#folder = folder;
  }

  static async create(): Promise<TestAuthority> {
    const authority = new TestAuthority(await temporaryFolder());
    await authority.#request("authority", "-subj", "/CN=authority");
    return authority;
  }

  async issue(...hosts: readonly string[]): Promise<IssuedCertificate> {
    const extensions = ["basicConstraints=critical,CA:FALSE", `subjectAltName=${hosts.map((host) => `DNS:${host}`)}`];
    const added = extensions.flatMap((extension) => ["-addext", extension]);
    const issuer = ["-CA", this.#file("authority.pem"), "-CAkey", this.#file("authority.key")];
    const name = randomUUID();
    await this.#request(name, "-subj", `/CN=${hosts[0]}`, ...added, ...issuer);
    const read = (file: string) => readFile(this.#file(file), "utf8");
    return {
      cert: await read(`${name}.pem`),
      key: await read(`${name}.key`),
      authority: await read("authority.pem"),
    };
  }

  remove(): Promise<void> {
    return this.#folder.remove();
  }

  /** Makes a key and a certificate in files of this name. */
  async #request(name: string, ...args: readonly string[]): Promise<void> {
    const files = ["-keyout", this.#file(`${name}.key`), "-out", this.#file(`${name}.pem`)];
    await promisify(execFile)(requireProgram("openssl"), ["req", "-x509", ...EC_KEY, ...args, ...files]);
  }

  #file(name: string): string {
    return join(this.#folder.path, name);
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
