import { loadFastKeccak } from "../../../common/chains/base/keccak.ts";
import { evmPermitDigest } from "../../../common/chains/evm/evm-permit.ts";

/** `v` of an EVM signature: this number and the recovery bit. */
const V_BASE = 27;

let loading: Promise<typeof import("tiny-secp256k1")> | undefined;

/**
 * Returns a function that signs encoded permits: EIP-191 over the encoding, by deterministic ECDSA (RFC 6979) with low s, as
 * r, s and v. libsecp256k1 as WebAssembly takes a third of the time of `@noble/curves`, in constant time, and leaves no copy of
 * the key in its memory.
 *
 * @param secret 32 bytes, which must stay as they are while the function is in use
 */
export async function evmSigner(secret: Uint8Array): Promise<(encoded: Uint8Array) => Uint8Array> {
  // Once, as `import` takes 90 µs each time; and here, so that a process without EVM sales doesn't load its 1.2 MB.
  loading ??= load();
  const { signRecoverable } = await loading;
  return (encoded) => {
    const { signature, recoveryId } = signRecoverable(evmPermitDigest(encoded), secret);
    return Buffer.concat([signature, Buffer.of(V_BASE + recoveryId)]);
  };
}

async function load(): Promise<typeof import("tiny-secp256k1")> {
  const [secp256k1] = await Promise.all([import("tiny-secp256k1"), loadFastKeccak()]);
  return secp256k1;
}
