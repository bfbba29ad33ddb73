/**
 * Whether a gzip body may be sent (RFC 9110, section 12.5.3): the header names `gzip`, or else `*`, and not with `q=0`.
 *
 * @param acceptEncoding the header's value
 */
export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  if (acceptEncoding === undefined) return false;
  let accepted = false;
  for (const item of acceptEncoding.toLowerCase().split(",")) {
    const [coding, ...parameters] = item.split(";").map((part) => part.trim());
    const isGzip = coding === "gzip" || coding === "x-gzip";
    if (!isGzip && coding !== "*") continue;
    accepted = !parameters.some(isZeroWeight);
    if (isGzip) return accepted;
  }
  return accepted;
}

function isZeroWeight(parameter: string): boolean {
  return /^q=0(\.0{0,3})?$/.test(parameter);
}

/**
 * Whether `If-None-Match` holds the entity tag (RFC 9110, section 13.1.2): `*`, or a list that is compared weakly.
 *
 * @param etag a weak one, `W/"…"`
 */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag || ifNoneMatch.trim() === "*") return true;
  const opaqueTag = etag.slice("W/".length);
  return ifNoneMatch.match(/"[^"]*"/g)?.includes(opaqueTag) ?? false;
}

/**
 * Returns what is wrong with a content type that must be `application/json` (RFC 8259), alone or with parameters; a
 * `charset` must be UTF-8. Undefined where it is right.
 */
export function jsonTypeProblem(contentType: string | undefined): string | undefined {
  if (contentType === "application/json") return undefined;
  const [mediaType, ...parameters] = (contentType ?? "")
    .toLowerCase()
    .split(";")
    .map((part) => part.trim());
  if (mediaType !== "application/json") return "Content-Type must be application/json.";
  return parameters.every(isNoOtherCharset) ? undefined : "The charset of application/json must be utf-8.";
}

function isNoOtherCharset(parameter: string): boolean {
  return !parameter.startsWith("charset=") || /^charset=("utf-?8"|utf-?8)$/.test(parameter);
}
