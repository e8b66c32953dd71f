import type { Language } from '@/i18n/languages'

export type FoundLanguage = Language & {
  /** The name in the active language, for users who can't read the language's own name. */
  translatedName: string
}

/** Languages whose own name, translated name, English name or code contains the text. */
export function searchLanguages(
  languages: readonly Language[],
  text: string,
  activeTag: string,
): FoundLanguage[] {
  const wanted = plain(text)
  const english = namesIn('en')
  const translated = namesIn(activeTag)
  return languages
    .map((language) => ({ ...language, translatedName: translated(language) }))
    .filter(({ name, code, translatedName, ...language }) =>
      [name, translatedName, english({ ...language, name, code }), code].some((one) =>
        plain(one).includes(wanted),
      ),
    )
}

function namesIn(tag: string): (language: Language) => string {
  const names = new Intl.DisplayNames([tag], { type: 'language', languageDisplay: 'standard' })
  return ({ code, tag: of, name }) => {
    // Only the two Chinese languages differ by region and script.
    const asked = code === 'zh_CN' ? 'zh-Hans' : code === 'zh_tw' ? 'zh-Hant' : of.split('-')[0]
    return names.of(asked ?? of) ?? name
  }
}

/** Lower case without accents, so that "turkce" finds Türkçe. */
function plain(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[\u02bb\u2018\u2019']/g, '')
    .trim()
    .toLowerCase()
}
