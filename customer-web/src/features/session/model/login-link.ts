import { create } from 'zustand'
import { takeUrlParameter } from '@/i18n/url-parameters'

/** The one-time code that the address brought, until it is used or dropped. Never stored. */
export const useLoginLink = create<{ code: string | null }>(() => ({ code: null }))

/**
 * Takes the `token` parameter out of the address bar and the history. Must run before anything is
 * asked of the server, so that the code is in no other address.
 */
export function takeLoginLink(): void {
  const code = takeUrlParameter('token')
  if (code) useLoginLink.setState({ code })
}

export function dropLoginLink(): void {
  useLoginLink.setState({ code: null })
}

/** The address that opens the account on another device. The code stands behind #, which browsers do not send. */
export function loginLinkAddress(
  code: string,
  { origin, pathname }: Pick<Location, 'origin' | 'pathname'> = window.location,
): string {
  return `${origin}${pathname}#/quotes?token=${encodeURIComponent(code)}`
}
