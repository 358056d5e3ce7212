/** Loads oidc-provider without the warning that it prints on Node 20, where it works. */
export async function loadOidcProvider(): Promise<typeof import('oidc-provider')> {
  const target = console;
  const warn = target.warn;
  target.warn = () => undefined;
  try {
    return await import('oidc-provider');
  } finally {
    target.warn = warn;
  }
}
