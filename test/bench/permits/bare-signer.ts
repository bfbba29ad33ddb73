// Signs the bytes of a permit with viem, again and again. `SECONDS` says how long. The number of signatures is printed.
import { randomBytes } from "node:crypto";
import { privateKeyToAccount } from "viem/accounts";
import { toHex } from "viem/utils";

/** The length of an encoded EVM permit whose payload is a word. */
const PERMIT_BYTES = 448;

const account = privateKeyToAccount(toHex(randomBytes(32)));
const raw = toHex(randomBytes(PERMIT_BYTES));
// The first signature makes tables.
for (let warmUp = 0; warmUp < 200; warmUp += 1) await account.signMessage({ message: { raw } });
const end = performance.now() + Number(process.env["SECONDS"]) * 1_000;
let signatures = 0;
for (; performance.now() < end; signatures += 1) await account.signMessage({ message: { raw } });
console.log(JSON.stringify({ msg: "signatures are done", signatures }));
