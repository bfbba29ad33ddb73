/** The Solidity types that extra data may have, with the size of their encoding (Solidity ABI specification). */
export type AbiType = AbiShape & {
  /** Whether it is encoded behind an offset, because its length varies. */
  readonly dynamic: boolean;
  /** The bytes that it takes in the head of its tuple or array; 32 for the offset of a dynamic type. */
  readonly headBytes: number;
};

export type AbiShape =
  | { readonly kind: "integer"; readonly signed: boolean; readonly bits: number }
  | { readonly kind: "address" | "bool" | "bytes" | "string" }
  | { readonly kind: "fixedBytes"; readonly size: number }
  | { readonly kind: "array"; readonly element: AbiType /** Absent: the data says it. */; readonly length?: number }
  | { readonly kind: "tuple"; readonly members: readonly AbiMember[] };

export interface AbiMember {
  readonly name: string;
  readonly type: AbiType;
}

/** An ABI parameter in its JSON form. Only tuples and arrays of tuples have `components`. */
export interface AbiParameter {
  readonly type: string;
  readonly name?: string | undefined;
  readonly components?: readonly AbiParameter[];
}

/** Says which part of an ABI parameter list isn't supported, and why. */
export class AbiParameterError extends Error {
  override readonly name = "AbiParameterError";
}

const WORD_BYTES = 32;
const MAX_DEPTH = 8;
const MAX_HEAD_BYTES = 65_536;
const arrayPattern = /^(.+)\[(\d*)\]$/;

/**
 * Returns the members of a list of parameters. Unnamed ones are named by their index. Throws an `AbiParameterError` for a name
 * that occurs twice or is `__proto__`, and for types that are empty, unknown, nested more than 8 levels or longer than 64 KiB.
 */
export function abiMembers(parameters: readonly AbiParameter[], depth = 0): readonly AbiMember[] {
  const members = parameters.map((parameter, index) => ({
    name: parameter.name ?? String(index),
    type: abiType(parameter, depth),
  }));
  const names = new Set(members.map(({ name }) => name));
  if (names.has("__proto__")) throw new AbiParameterError("a parameter can't be named __proto__");
  if (names.size < members.length) throw new AbiParameterError("names must not repeat");
  if (members.length === 0) throw new AbiParameterError("a tuple must have members");
  return members;
}

function abiType(parameter: AbiParameter, depth: number): AbiType {
  if (depth >= MAX_DEPTH) throw new AbiParameterError(`types may nest in ${MAX_DEPTH} levels at most`);
  const [, element, length] = arrayPattern.exec(parameter.type) ?? [];
  const type =
    element === undefined || length === undefined
      ? simpleOrTuple(parameter, depth)
      : arrayType(abiType({ ...parameter, type: element }, depth + 1), length);
  if (type.headBytes > MAX_HEAD_BYTES) throw new AbiParameterError("a type must fit into 64 KiB");
  return type;
}

function arrayType(element: AbiType, length: string): AbiType {
  if (length === "") return { kind: "array", element, dynamic: true, headBytes: WORD_BYTES };
  const fixed = Number(length);
  if (fixed === 0) throw new AbiParameterError("an array must have elements");
  return { kind: "array", element, length: fixed, ...layout(element.dynamic, fixed * element.headBytes) };
}

function simpleOrTuple({ type, components }: AbiParameter, depth: number): AbiType {
  if (type !== "tuple") return { ...simpleShape(type), ...layout(type === "bytes" || type === "string", WORD_BYTES) };
  const members = abiMembers(components ?? [], depth + 1);
  const headBytes = members.reduce((sum, member) => sum + member.type.headBytes, 0);
  const dynamic = members.some((member) => member.type.dynamic);
  return { kind: "tuple", members, ...layout(dynamic, headBytes) };
}

function layout(dynamic: boolean, ownBytes: number): Pick<AbiType, "dynamic" | "headBytes"> {
  return { dynamic, headBytes: dynamic ? WORD_BYTES : ownBytes };
}

function simpleShape(type: string): AbiShape {
  if (type === "address" || type === "bool" || type === "bytes" || type === "string") return { kind: type };
  const [, base, size] = /^(uint|int|bytes)(\d+)$/.exec(type) ?? [];
  const number = Number(size);
  if (base === "bytes" && number >= 1 && number <= 32) return { kind: "fixedBytes", size: number };
  if ((base === "uint" || base === "int") && number >= 8 && number <= 256 && number % 8 === 0) {
    return { kind: "integer", signed: base === "int", bits: number };
  }
  throw new AbiParameterError(`the type ${type} isn't supported`);
}
