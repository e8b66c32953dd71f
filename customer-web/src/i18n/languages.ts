import { DEFAULT_LOCALE, LANGUAGE_ID } from '@/constants'

export type LanguageCode = keyof typeof LANGUAGE_ID

export type Language = {
  code: LanguageCode
  /** The numeric id sent as `languageType`. */
  id: number
  /** The language's name in itself. */
  name: string
  /** BCP 47 tag for `lang`, Intl and plural rules. */
  tag: string
  dir: 'ltr' | 'rtl'
  /** Country of the decorative flag; a language is not a country. */
  flag: string
}

const table: readonly [LanguageCode, name: string, tag: string, flag: string][] = [
  ['en', 'English', 'en-US', 'US'],
  ['zh_CN', '简体中文', 'zh-Hans-CN', 'CN'],
  ['zh_tw', '繁體中文', 'zh-Hant-TW', 'TW'],
  ['ko', '한국어', 'ko', 'KR'],
  ['ja', '日本語', 'ja', 'JP'],
  ['de', 'Deutsch', 'de', 'DE'],
  ['ru', 'Русский', 'ru', 'RU'],
  ['th', 'ไทย', 'th', 'TH'],
  ['ar', 'العربية', 'ar', 'SA'],
  ['pt', 'Português', 'pt-BR', 'BR'],
  ['fr', 'Français', 'fr', 'FR'],
  ['es', 'Español', 'es', 'ES'],
  ['tr', 'Türkçe', 'tr', 'TR'],
  ['hi', 'हिन्दी', 'hi', 'IN'],
  ['kk', 'Қазақша', 'kk', 'KZ'],
  ['ms', 'Bahasa Melayu', 'ms', 'MY'],
  ['id', 'Bahasa Indonesia', 'id', 'ID'],
  ['ur', 'اردو', 'ur', 'PK'],
  ['vn', 'Tiếng Việt', 'vi', 'VN'],
  ['mn', 'Монгол', 'mn', 'MN'],
  ['uz', 'Oʻzbekcha', 'uz', 'UZ'],
  ['cs', 'Čeština', 'cs', 'CZ'],
  ['nl', 'Nederlands', 'nl', 'NL'],
  ['it', 'Italiano', 'it', 'IT'],
  ['pl', 'Polski', 'pl', 'PL'],
  ['ka', 'ქართული', 'ka', 'GE'],
]

const rightToLeft: readonly LanguageCode[] = ['ar', 'ur']

/** The 26 languages of the specification. The locale files decide which of them are offered. */
export const languages: readonly Language[] = table.map(([code, name, tag, flag]) => ({
  code,
  id: LANGUAGE_ID[code],
  name,
  tag,
  flag,
  dir: rightToLeft.includes(code) ? 'rtl' : 'ltr',
}))

const byCode = new Map(languages.map((language) => [language.code, language]))

export function languageOf(code: LanguageCode): Language {
  const language = byCode.get(code)
  if (!language) throw new RangeError(`no language ${code}`)
  return language
}

/**
 * Finds a language by its code or BCP 47 tag in any spelling: zh_CN, zh-cn, en-US, vi. Null if the text is none of
 * the 26.
 */
export function findLanguage(text: string): Language | null {
  const wanted = normal(text)
  const exact = languages.find(({ code, tag }) => normal(code) === wanted || normal(tag) === wanted)
  if (exact) return exact
  if (/^zh(-|$)/.test(wanted)) {
    return languageOf(/hant|tw|hk|mo/.test(wanted) ? 'zh_tw' : 'zh_CN')
  }
  const first = wanted.split('-')[0]
  return languages.find(({ tag }) => normal(tag).split('-')[0] === first) ?? null
}

export const defaultLanguage: Language = findLanguage(DEFAULT_LOCALE) ?? languageOf('en')

function normal(text: string): string {
  return text.trim().toLowerCase().replaceAll('_', '-')
}
