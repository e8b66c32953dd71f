// A passkey in the browser's virtual authenticator. Passkeys belong to a domain, so that the trader comes to localhost.

/** The server as a browser on this machine reaches it by its domain. */
export function atDomain(server) {
  return { ...server, url: server.url.replace('127.0.0.1', 'localhost') }
}

/** Gives a page an authenticator that agrees to everything; `remove` forgets its keys. */
export async function giveAuthenticator(page) {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    credentials: async () =>
      (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
    /** Whether the person agrees. */
    verifies: (isUserVerified) =>
      cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
  }
}
