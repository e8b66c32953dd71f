import { create } from 'zustand'
import { takeUrlParameter } from '@/i18n/url-parameters'

/** The screen that a link opens: the quotes, or where a trader goes on with the phone. */
export type LinkPath = '/quotes' | '/authenticate'

/** The one-time code from the address and the screen it opens, until it is used or dropped. Never stored. */
export const useLoginLink = create<{ code: string | null; path: LinkPath }>(() => ({
  code: null,
  path: '/quotes',
}))

/**
 * Removes the `token` parameter from the address bar and the history. Must run before the first request, so that
 * the code appears in no other address.
 */
export function takeLoginLink(): void {
  const code = takeUrlParameter('token')
  const path = window.location.hash === '#/authenticate' ? '/authenticate' : '/quotes'
  if (code) useLoginLink.setState({ code, path })
}

export function dropLoginLink(): void {
  useLoginLink.setState({ code: null })
}

/** The address that opens the account on another device. The code is in the hash, which browsers do not send. */
export function loginLinkAddress(
  code: string,
  path: LinkPath = '/quotes',
  { origin, pathname }: Pick<Location, 'origin' | 'pathname'> = window.location,
): string {
  return `${origin}${pathname}#${path}?token=${encodeURIComponent(code)}`
}
