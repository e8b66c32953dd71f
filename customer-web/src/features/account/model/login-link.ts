import { create } from 'zustand'
import { takeUrlParameter } from '@/i18n/url-parameters'

/** The one-time code from the address, until it is used or dropped. Never stored. */
export const useLoginLink = create<{ code: string | null }>(() => ({ code: null }))

/**
 * Removes the `token` parameter from the address bar and the history. Must run before the first request, so that
 * the code appears in no other address.
 */
export function takeLoginLink(): void {
  const code = takeUrlParameter('token')
  if (code) useLoginLink.setState({ code })
}

export function dropLoginLink(): void {
  useLoginLink.setState({ code: null })
}

/** The address that opens the account on another device. The code is in the hash, which browsers do not send. */
export function loginLinkAddress(
  code: string,
  { origin, pathname }: Pick<Location, 'origin' | 'pathname'> = window.location,
): string {
  return `${origin}${pathname}#/quotes?token=${encodeURIComponent(code)}`
}
