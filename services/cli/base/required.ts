/**
 * Returns a part of an answer that the service always sets, although the field is optional in the message.
 *
 * @throws TypeError where it is absent
 */
export function required<Answer extends object, Name extends keyof Answer & string>(
  answer: Answer,
  name: Name,
): NonNullable<Answer[Name]> {
  const part = answer[name];
  if (part === undefined || part === null) throw new TypeError(`the answer has no ${name}`);
  return part;
}
