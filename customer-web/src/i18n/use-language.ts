import { useTranslation } from 'react-i18next'
import { defaultLanguage, findLanguage, type Language } from './languages'

/** The active language; the component renders again when it changes. */
export function useLanguage(): Language {
  const { i18n } = useTranslation()
  return findLanguage(i18n.language ?? '') ?? defaultLanguage
}
