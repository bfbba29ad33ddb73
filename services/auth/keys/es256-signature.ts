import { type KeyObject, sign } from "node:crypto";

/** The bytes of r, and of s. */
const INTEGER_BYTES = 32;

/**
 * The signature of ES256: r and s, of 32 bytes each (RFC 7518 section 3.4). OpenSSL's own form is DER; to have this one of Node
 * instead (`dsaEncoding`) takes as long as the signature itself.
 */
export function es256Signature(input: Buffer, privateKey: KeyObject): Buffer {
  return integersOfDer(sign("sha256", input, privateKey));
}

/** @param der a sequence of two integers (RFC 3279 section 2.2.3), which for P-256 has lengths of one byte. */
export function integersOfDer(der: Buffer): Buffer {
  const sequence = der.subarray(2);
  const first = contentOf(sequence);
  const second = contentOf(sequence.subarray(2 + first.length));
  return Buffer.concat([fixedLength(first), fixedLength(second)]);
}

function contentOf(element: Buffer): Buffer {
  return element.subarray(2, 2 + (element[1] ?? 0));
}

/** Takes the zero away that keeps a high first bit from meaning a sign, and adds those that DER leaves out. */
function fixedLength(integer: Buffer): Buffer {
  const digits = integer.subarray(-INTEGER_BYTES);
  return Buffer.concat([Buffer.alloc(INTEGER_BYTES - digits.length), digits]);
}
