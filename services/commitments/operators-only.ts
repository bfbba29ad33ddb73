import { ServiceError } from "../shared/service-error.ts";
import type { OpenSalePolicy } from "./rpc/dependencies.ts";

/** Lets nobody but operators open a sale. */
export const operatorsOnly: OpenSalePolicy = {
  async admit(_sale, caller) {
    if (caller.name === "operator") return;
    throw new ServiceError("permission_denied", `caller ${caller.name} may not open a sale; only an operator may`);
  },
};
