const MAX_CHARACTERS = 254;

/** Whether a text looks like an e-mail address; the auth service decides. */
export function isEmailLike(text: string): boolean {
  return text.length <= MAX_CHARACTERS && /^[^\s@]+@[^\s@]+$/.test(text);
}
