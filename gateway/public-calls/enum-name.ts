/**
 * Returns the public name of an enumeration's value.
 *
 * @param field the field of the message, for the error
 * @throws TypeError for a value without one, which a right answer doesn't hold
 */
export function nameOf<Value extends number>(names: ReadonlyMap<Value, string>, value: Value, field: string): string {
  const name = names.get(value);
  if (name === undefined) throw new TypeError(`${field} has the value ${value}, which has no public name`);
  return name;
}
