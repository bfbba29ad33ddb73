import { createHash } from "node:crypto";

const HUB = { host: "registry-1.docker.io", official: "library/" };
const MANIFESTS = [
  "application/vnd.oci.image.index.v1+json",
  "application/vnd.docker.distribution.manifest.list.v2+json",
  "application/vnd.oci.image.manifest.v1+json",
  "application/vnd.docker.distribution.manifest.v2+json",
];
const LIMIT_MS = 30_000;

/**
 * Asks an image's registry for the digest of a tag, by the distribution API (pull without credentials). The digest is computed from
 * the manifest itself, so a registry can't name a digest that isn't its manifest's.
 *
 * @param scheme `http` is for tests
 * @throws Error if the registry doesn't answer with a manifest
 */
export async function imageDigest(name: string, tag: string, scheme: "https" | "http" = "https"): Promise<string> {
  const { host, repository } = placeOf(name);
  const url = `${scheme}://${host}/v2/${repository}/manifests/${tag}`;
  const headers = { accept: MANIFESTS.join(", ") };
  const first = await get(url, headers);
  const answer = first.status === 401 ? await get(url, { ...headers, authorization: await tokenFor(first) }) : first;
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  const digest = `sha256:${createHash("sha256")
    .update(await answer.bytes())
    .digest("hex")}`;
  const stated = answer.headers.get("docker-content-digest") ?? digest;
  if (stated !== digest) throw new Error(`${url}: its manifest is ${digest}, not ${stated}`);
  return digest;
}

/** The host is the first segment if it looks like one; images without a host are on Docker Hub. */
function placeOf(name: string): { readonly host: string; readonly repository: string } {
  const [first = "", ...rest] = name.split("/");
  if (rest.length > 0 && /[.:]/.test(first)) return { host: first, repository: rest.join("/") };
  return { host: HUB.host, repository: rest.length > 0 ? name : `${HUB.official}${name}` };
}

/** Gets a token where `WWW-Authenticate: Bearer realm="…",service="…",scope="…"` says. */
async function tokenFor({ headers }: Response): Promise<string> {
  const challenge = headers.get("www-authenticate") ?? "";
  const { realm, ...query } = Object.fromEntries(
    Array.from(challenge.matchAll(/(\w+)="([^"]*)"/g), ([, name = "", value = ""]) => [name, value]),
  );
  if (realm === undefined) throw new Error(`the registry wants credentials: ${challenge}`);
  const url = `${realm}?${new URLSearchParams(query)}`;
  const answer = await get(url, {});
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  const { token, access_token } = (await answer.json()) as Readonly<Record<string, string | undefined>>;
  return `Bearer ${token ?? access_token}`;
}

function get(url: string, headers: Readonly<Record<string, string>>): Promise<Response> {
  return fetch(url, { headers, signal: AbortSignal.timeout(LIMIT_MS) });
}
