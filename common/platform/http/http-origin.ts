/** The origin of a server that listens on an address. IPv6 addresses are put in brackets. */
export function httpOrigin(host: string, port: number, scheme: "http" | "https" = "http"): string {
  return `${scheme}://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
