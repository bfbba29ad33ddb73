/**
 * Whether an uncaught error is a connection's reset that belongs to nobody any more. Deno 2.9 can throw it out of its `node:net` after the
 * socket was destroyed, where no listener can hear it; on Node no such error comes this way.
 */
export function isStrayReset(error: unknown, isDeno = "Deno" in globalThis): boolean {
  if (!isDeno || typeof error !== "object" || error === null) return false;
  return "code" in error && error.code === "ECONNRESET" && "syscall" in error && error.syscall === "read";
}
