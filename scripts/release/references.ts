/** Something of somebody else's that a release runs or builds on. */
export interface Reference {
  readonly kind: "image" | "action";
  /** `node`, `moby/buildkit`, `gcr.io/distroless/nodejs26-debian13` or `actions/checkout`. */
  readonly name: string;
  /** Tag of the image, tag or branch of the action; `latest` where an image names none. */
  readonly version: string;
  /** `sha256:…` of the image, commit of the action; undefined where it isn't pinned. */
  readonly pin: string | undefined;
}

const IMAGE = /([^\s@"']+?)(?::([\w.-]+))?(?:@(sha256:[0-9a-f]{64}))?/.source;
/** `FROM IMAGE` of a Dockerfile, and values of YAML: `image: IMAGE`, `container: IMAGE`, `buildkit: IMAGE`, `sbomGenerator: IMAGE`. */
const IMAGES = new RegExp(
  `^((?:FROM |[ -]*(?:image|container|buildkit|sbomGenerator): )(?:--platform=\\S+ )?)${IMAGE}(?=$| AS | #)`,
  "gm",
);
/** `uses: OWNER/NAME@VERSION` and, once pinned, `uses: OWNER/NAME@COMMIT # VERSION`. */
const ACTIONS = /^([ -]*uses: )([\w.-]+\/[\w./-]+)@([\w.-]+)(?: # ([\w.-]+))?$/gm;
const COMMIT = /^[0-9a-f]{40}$/;

/** The images and actions that the text of a Dockerfile, a workflow or the release file names. */
export function findReferences(text: string): Reference[] {
  const references: Reference[] = [];
  replaceReferences(text, (reference) => {
    references.push(reference);
    return undefined;
  });
  return references;
}

/** Pins every image and action of a text to what `resolve` says of it, those that are pinned already as well. */
export async function pinReferences(text: string, resolve: (reference: Reference) => Promise<string>): Promise<string> {
  const pins = await Promise.all(
    findReferences(text).map(async (reference) => [nameOf(reference), await resolve(reference)] as const),
  );
  const resolved = new Map(pins);
  return replaceReferences(text, (reference) => resolved.get(nameOf(reference)));
}

/** `NAME:VERSION` of an image, `NAME@VERSION` of an action. */
export function nameOf({ kind, name, version }: Reference): string {
  return `${name}${kind === "image" ? ":" : "@"}${version}`;
}

/** Writes a text with the pins that `pinOf` returns; undefined leaves a reference as it is. */
function replaceReferences(text: string, pinOf: (reference: Reference) => string | undefined): string {
  const stages = new Set(Array.from(text.matchAll(/^FROM .* AS (\S+)$/gm), ([, stage]) => stage));
  return text
    .replaceAll(IMAGES, (whole, before: string, name: string, version = "latest", pin?: string) => {
      if (stages.has(name)) return whole;
      const newPin = pinOf({ kind: "image", name, version, pin });
      return newPin === undefined ? whole : `${before}${name}:${version}@${newPin}`;
    })
    .replaceAll(ACTIONS, (whole, before: string, name: string, used: string, comment?: string) => {
      const pin = COMMIT.test(used) ? used : undefined;
      const version = pin === undefined ? used : (comment ?? "");
      const newPin = pinOf({ kind: "action", name, version, pin });
      return newPin === undefined ? whole : `${before}${name}@${newPin} # ${version}`;
    });
}
