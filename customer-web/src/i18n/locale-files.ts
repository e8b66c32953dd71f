import resourcesToBackend from 'i18next-resources-to-backend'
import { type Language, type LanguageCode, languages } from './languages'
import type { Namespace } from './namespaces'

const files = import.meta.glob<Record<string, string>>('../../../locales/customer/*/*.json', {
  import: 'default',
})

const pathOf = (code: string, namespace: string) =>
  `../../../locales/customer/${code}/${namespace}.json`

export function isAllowed(code: LanguageCode): boolean {
  return pathOf(code, 'common' satisfies Namespace) in files
}

/** The languages offered: those with locale files, in the table's order. */
export const allowedLanguages: readonly Language[] = languages.filter(({ code }) => isAllowed(code))

/** Serves i18next one namespace of one language at a time. */
export const localeFiles = resourcesToBackend(async (code: string, namespace: string) => {
  const load = files[pathOf(code, namespace)]
  if (!load) throw new Error(`no locale file ${code}/${namespace}`)
  return load()
})
