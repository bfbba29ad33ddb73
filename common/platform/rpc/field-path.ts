import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  FieldPath,
  FieldPathElement,
  FieldPathSchema,
} from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";

const SEGMENT = /^([A-Za-z_]\w*)(?:\[(0|[1-9]\d{0,18})\])?$/;

/**
 * The `buf.validate.FieldPath` of a path such as `upserts[3].amounts[0].token`. A text that is no such path becomes a
 * single element.
 */
export function parseFieldPath(text: string): MessageInitShape<typeof FieldPathSchema> {
  const segments = text.split(".").map((segment) => SEGMENT.exec(segment));
  if (!segments.every((segment) => segment !== null)) return { elements: [{ fieldName: text }] };
  return {
    elements: segments.map(([, fieldName, index]) =>
      index === undefined
        ? { fieldName: fieldName ?? "" }
        : { fieldName: fieldName ?? "", subscript: { case: "index", value: BigInt(index) } },
    ),
  };
}

/** The text of a field path. Keys of maps are written as in JSON. */
export function formatFieldPath(path: FieldPath | undefined): string {
  return path?.elements.map((element) => `${element.fieldName}${formatSubscript(element.subscript)}`).join(".") ?? "";
}

function formatSubscript(subscript: FieldPathElement["subscript"]): string {
  if (subscript.case === undefined) return "";
  return `[${subscript.case === "stringKey" ? JSON.stringify(subscript.value) : subscript.value}]`;
}
