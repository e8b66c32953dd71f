import type { Wire } from '@/api/client'

/** The trader closed the browser's passkey window, or it timed out. */
export class PasskeyCancelled extends Error {}

/** The browser already keeps a passkey of this account. */
export class PasskeyKnown extends Error {}

/** Whether this browser can use passkeys here: they belong to a domain, so an IP address has none. */
export function passkeysSupported(): boolean {
  return (
    typeof window.PublicKeyCredential === 'function' && !/^[\d.]+$|:/.test(window.location.hostname)
  )
}

/** Asks for one of the trader's passkeys. Throws PasskeyCancelled. */
export async function askPasskey(
  options: Wire['PasskeyOptions'],
): Promise<Wire['PasskeyCredential']> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  return asked(async () => startAuthentication({ optionsJSON: options.publicKey as never }))
}

/** Makes a passkey. Throws PasskeyCancelled and PasskeyKnown. */
export async function makePasskey(
  options: Wire['PasskeyOptions'],
): Promise<Wire['PasskeyCredential']> {
  const { startRegistration } = await import('@simplewebauthn/browser')
  return asked(async () => startRegistration({ optionsJSON: options.publicKey as never }))
}

async function asked(ask: () => Promise<unknown>): Promise<Wire['PasskeyCredential']> {
  try {
    return (await ask()) as Wire['PasskeyCredential']
  } catch (error) {
    const name = error instanceof Error ? error.name : ''
    if (name === 'InvalidStateError') throw new PasskeyKnown()
    if (name === 'NotAllowedError' || name === 'AbortError') throw new PasskeyCancelled()
    throw error
  }
}
