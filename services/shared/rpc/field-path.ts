import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  FieldPath,
  FieldPathElement,
  FieldPathSchema,
} from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";

const SEGMENT = /^([A-Za-z_]\w*)(?:\[(0|[1-9]\d{0,18})\])?$/;

/**
 * `buf.validate.FieldPath` of a path such as `upserts[3].amounts[0].token`. A text that is no such path becomes one
 * element, so that nothing of it is lost.
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

/** The text form of a field path; keys of maps as JSON writes them. */
export function formatFieldPath(path: FieldPath | undefined): string {
  return path?.elements.map((element) => `${element.fieldName}${formatSubscript(element.subscript)}`).join(".") ?? "";
}

function formatSubscript(subscript: FieldPathElement["subscript"]): string {
  if (subscript.case === undefined) return "";
  return `[${subscript.case === "stringKey" ? JSON.stringify(subscript.value) : subscript.value}]`;
}
