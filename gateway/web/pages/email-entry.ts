const MAX_CHARACTERS = 254;

export const EMAIL_ERROR = "Enter an e-mail address such as name@example.org";

/** Whether a text looks like an e-mail address; the auth service decides. */
export function isEmailLike(text: string): boolean {
  return text.length <= MAX_CHARACTERS && /^[^\s@]+@[^\s@]+$/.test(text);
}
