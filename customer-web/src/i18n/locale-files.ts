import resourcesToBackend from 'i18next-resources-to-backend'
import { type Language, type LanguageCode, languages } from './languages'

type Texts = Record<string, string>

const files = import.meta.glob<Texts>('../../../locales/customer/*.json', { import: 'default' })

const loaders = new Map(
  Object.entries(files).map(([path, load]) => [path.replace(/^.*\/(.*)\.json$/, '$1'), load]),
)

/** The languages a trader may choose: those that have a locale file, in the table's order. */
export const allowedLanguages: readonly Language[] = languages.filter(({ code }) =>
  loaders.has(code),
)

export function isAllowed(code: LanguageCode): boolean {
  return loaders.has(code)
}

/** Gives i18next one locale file at a time, each a chunk of its own. */
export const localeFiles = resourcesToBackend((code: string) => {
  const load = loaders.get(code)
  return load ? load() : Promise.reject(new Error(`no locale file ${code}`))
})
