import { useSession } from '@/features/session/model/session-store'
import type { LanguageCode } from '@/i18n/languages'
import { useLanguage } from '@/i18n/use-language'

/** Every query for what is published begins with it, so that all of them can be asked anew. */
export const CONTENT = 'content'

/** Whom an answer is for: the same is published in many languages, and not for everybody. */
export type Reader = readonly [code: LanguageCode, userId: string]

export function useReader(): Reader {
  const { code } = useLanguage()
  return [code, useSession(({ user }) => user?.userId ?? '')]
}
