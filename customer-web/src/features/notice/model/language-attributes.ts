import { findLanguage } from '@/i18n/languages'

/** The attributes of an element whose words are in one of our languages, which need not be the reader's. */
export function languageAttributes(locale: string): { lang?: string; dir?: 'ltr' | 'rtl' } {
  const language = findLanguage(locale)
  return language ? { lang: language.tag, dir: language.dir } : {}
}
