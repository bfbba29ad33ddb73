import type { Source } from "./sale.ts";
import { checkTypedAddress } from "./typed-address.ts";
import type { ViolationList } from "./violation-list.ts";

/** Major versions of the reference contract. */
const CONTRACT_VERSIONS = [1, 2];
const chainPattern = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** Checks the source of a sale's commitments; returns it with its address in canonical form. */
export function checkSource(source: Source, violations: ViolationList): Source {
  const field = `definition.${source.kind}`;
  if (!chainPattern.test(source.chain)) {
    violations.add(`${field}.chain`, "chain.name", "must be 1 to 63 lower-case letters, digits and inner hyphens");
  }
  if (source.kind === "evm") {
    const { contractVersion, family } = source;
    if (contractVersion !== undefined && family !== undefined) {
      violations.add(
        `${field}.contract_version`,
        "contract_version.family",
        "must be 0: only the reference contract has stages by version",
      );
    } else if (contractVersion !== undefined && !CONTRACT_VERSIONS.includes(contractVersion)) {
      const message = `must be one of ${CONTRACT_VERSIONS.join(", ")}`;
      violations.add(`${field}.contract_version`, "contract_version", message);
    }
    const contract = checkTypedAddress(`${field}.contract`, source.contract, "evm", violations);
    return { ...source, contract: contract ?? source.contract };
  }
  const saleAccount = checkTypedAddress(`${field}.sale_account`, source.saleAccount, "svm", violations);
  return { ...source, saleAccount: saleAccount ?? source.saleAccount };
}
