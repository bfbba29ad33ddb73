/**
 * Whether an uncaught error is the reset of a connection whose socket was destroyed before. Deno 2.9 can throw it out of
 * its `node:net`, where no listener can catch it. Node doesn't.
 */
export function isStrayReset(error: unknown, isDeno = "Deno" in globalThis): boolean {
  if (!isDeno || typeof error !== "object" || error === null) return false;
  return "code" in error && error.code === "ECONNRESET" && "syscall" in error && error.syscall === "read";
}
