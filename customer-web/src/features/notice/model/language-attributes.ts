import { findLanguage } from '@/i18n/languages'

/** The lang and dir attributes for content in another language than the user's. */
export function languageAttributes(locale: string): { lang?: string; dir?: 'ltr' | 'rtl' } {
  const language = findLanguage(locale)
  return language ? { lang: language.tag, dir: language.dir } : {}
}
