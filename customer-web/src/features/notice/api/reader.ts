import type { LanguageCode } from '@/i18n/languages'
import { useLanguage } from '@/i18n/use-language'
import { useSession } from '@/session/session-store'

/** The first key of all queries for published content, so that they can be invalidated together. */
export const CONTENT = 'content'

/** The audience of an answer: content differs by language and user. */
export type Reader = readonly [code: LanguageCode, userId: string]

export function useReader(): Reader {
  const { code } = useLanguage()
  return [code, useSession(({ user }) => user?.userId ?? '')]
}
