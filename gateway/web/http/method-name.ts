const METHODS: readonly string[] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** The method of a request in traces and logs: `_OTHER` for one that is none of HTTP's usual ones. */
export function methodName(method: string | undefined): string {
  return METHODS.find((name) => name === method) ?? "_OTHER";
}
