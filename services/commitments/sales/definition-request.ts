import { create } from "@bufbuild/protobuf";
import type { FieldMask } from "@bufbuild/protobuf/wkt";
import { invalidArgument, type ServiceError } from "../../../common/platform/errors/service-error.ts";
import { requireValid } from "../../../common/platform/rpc/server/message-validator.ts";
import { definitionMessage, draftOf } from "../../../common/sale/definition/definition-message.ts";
import { pathsWithoutMask, unknownPaths, withMaskedFields } from "../../../common/sale/definition/field-mask.ts";
import type { SaleDefinition } from "../../../common/sale/definition/sale.ts";
import type { SaleDefinitionDraft } from "../../../common/sale/definition/sale-definition.ts";
import {
  type SaleDefinition as DefinitionMessage,
  SaleDefinitionSchema,
} from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";

/** The parts of a request that carry a definition. */
export interface DefinitionRequest {
  readonly definition?: DefinitionMessage | undefined;
  readonly updateMask?: FieldMask | undefined;
}

/** Returns the definition of a new sale. @throws ServiceError `invalid_argument` */
export function newDefinition({ definition }: DefinitionRequest): SaleDefinitionDraft {
  if (definition === undefined) throw missingDefinition();
  return validDraft(definition);
}

/**
 * Returns what an update makes of a stored definition: the fields that its mask names are the request's.
 *
 * @throws ServiceError `invalid_argument` for a path that names no field, and for a result that breaks the rules of the contract
 */
export function updatedDefinition(
  stored: SaleDefinition,
  { definition, updateMask }: DefinitionRequest,
): SaleDefinitionDraft {
  const sent = definition ?? create(SaleDefinitionSchema);
  const { paths = [] } = updateMask ?? {};
  const unknown = unknownPaths(paths);
  if (unknown.length > 0) {
    const message = "names no field of the definition";
    throw invalidArgument(
      unknown.map((path) => ({ field: "update_mask", rule: "path", message: `${path} ${message}` })),
    );
  }
  if (paths.length === 0 && definition === undefined) throw missingDefinition();
  const named = paths.length === 0 ? pathsWithoutMask(sent) : paths;
  return validDraft(withMaskedFields(definitionMessage(stored), sent, named));
}

function validDraft(definition: DefinitionMessage): SaleDefinitionDraft {
  requireValid(SaleDefinitionSchema, definition, "definition");
  return draftOf(definition);
}

function missingDefinition(): ServiceError {
  return invalidArgument([{ field: "definition", rule: "required", message: "value is required" }]);
}
