import { keccak_256 } from "@noble/hashes/sha3";

let hash: (bytes: Uint8Array) => Uint8Array = keccak_256;
let loading: Promise<void> | undefined;

/** Returns the 32 bytes of Keccak-256, which EVM chains use: SHA-3 with the padding that it had before it became a standard. */
export function keccak256(bytes: Uint8Array): Uint8Array {
  return hash(bytes);
}

/**
 * Makes `keccak256` ten times as fast from now on: WebAssembly hashes a permit in 1.4 µs instead of 18. Only signing permits and the
 * megabytes of a settlement's calls are worth it: other processes do without its 0.3 MB.
 */
export function loadFastKeccak(): Promise<void> {
  loading ??= load();
  return loading;
}

async function load(): Promise<void> {
  const { createKeccak } = await import("hash-wasm");
  const hasher = await createKeccak(256);
  hash = (bytes) => hasher.init().update(bytes).digest("binary");
}
