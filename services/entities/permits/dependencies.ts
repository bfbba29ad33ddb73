import type { IdentityProvider } from "../base/identity-provider.ts";
import type { KeyDependencies } from "../permit-keys/dependencies.ts";
import type { StoredKeySigner } from "../permit-keys/permit-signer.ts";
import type { IssuingContext } from "./issue-permit.ts";

/** The dependencies of the permits' use cases. */
export interface PermitDependencies extends KeyDependencies, IssuingContext {
  readonly database: KeyDependencies["database"];
  readonly permitSigner: StoredKeySigner;
  readonly identityProvider: IdentityProvider;
}
