/** Returns what the command prints once the mock listens. */
export function banner(url: string, prefix: string): string {
  return `Tidemark's mock is running, without a chain. Every sale, client and redirect URI is there.
  public host and sign-in: ${url}, with the prefix ${prefix}
  choose states: ${url}/mock, or curl -s ${url}/mock/states -d EntitySetupState=in-review
  for one request: the header tidemark-mock: FailureReason=wallet-risk&delay=2000, or ?mock.status=503
  tokens for curl: ${url}/mock/token
  every call: ${url}/openapi.json
`;
}
