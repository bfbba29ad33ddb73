import solc from "solc";
import type { Abi, Hex } from "viem";

export interface CompiledContract {
  readonly abi: Abi;
  readonly bytecode: Hex;
}

/** Compiles a contract from the text of a page. @throws Error with the compiler's messages, warnings included */
export function compileSolidity(name: string, content: string): CompiledContract {
  const settings = {
    evmVersion: "paris",
    viaIR: true,
    optimizer: { enabled: true },
    outputSelection: { "*": { "*": ["abi", "evm.bytecode.object"] } },
  };
  const input = { language: "Solidity", sources: { "contract.sol": { content } }, settings };
  const { errors = [], contracts } = JSON.parse(solc.compile(JSON.stringify(input)));
  if (errors.length > 0)
    throw new Error(errors.map((error: { formattedMessage: string }) => error.formattedMessage).join());
  const { abi, evm } = contracts["contract.sol"][name];
  return { abi, bytecode: `0x${evm.bytecode.object}` };
}
