import resourcesToBackend from 'i18next-resources-to-backend'
import { type Language, type LanguageCode, languages } from './languages'
import { type TextPart, textParts } from './text-parts'

type Texts = Record<string, string>

// scripts/split-texts.ts serves every file in parts.
const files: Record<TextPart, Record<string, () => Promise<Texts>>> = {
  first: import.meta.glob<Texts>('../../../locales/customer/*.json', {
    import: 'default',
    query: '?part=first',
  }),
  trade: import.meta.glob<Texts>('../../../locales/customer/*.json', {
    import: 'default',
    query: '?part=trade',
  }),
  waiting: import.meta.glob<Texts>('../../../locales/customer/*.json', {
    import: 'default',
    query: '?part=waiting',
  }),
  rest: import.meta.glob<Texts>('../../../locales/customer/*.json', {
    import: 'default',
    query: '?part=rest',
  }),
}

const pathOf = (code: string) => `../../../locales/customer/${code}.json`

export function isAllowed(code: LanguageCode): boolean {
  return pathOf(code) in files.first
}

/** The languages offered: those with a locale file, in the table's order. */
export const allowedLanguages: readonly Language[] = languages.filter(({ code }) => isAllowed(code))

/** Loads one part of a language. */
export async function loadPart(code: string, part: TextPart): Promise<Texts> {
  const load = files[part][pathOf(code)]
  if (!load) throw new Error(`no locale file ${code}`)
  return load()
}

/** Serves i18next one language at a time: its first part, or all parts if `whole` returns true. */
export function localeFiles(whole: () => boolean) {
  return resourcesToBackend(async (code: string) => {
    const parts = whole() ? textParts : textParts.slice(0, 1)
    const loaded = await Promise.all(parts.map((part) => loadPart(code, part)))
    return Object.assign({}, ...loaded) as Texts
  })
}
