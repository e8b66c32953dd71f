import i18next, { type ParseKeys } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { RELOAD_DELAY_MS } from '@/constants'
import { storage } from '@/storage/storage'
import {
  defaultLanguage,
  findLanguage,
  type Language,
  type LanguageCode,
  languageOf,
} from './languages'
import { isAllowed, loadPart, localeFiles } from './locale-files'
import { type TextPart, textParts } from './text-parts'
import { takeUrlParameter } from './url-parameters'

/** A key of the locale files. */
export type TextKey = ParseKeys

/**
 * Starts i18next in the language of the `lang` parameter, else the stored one, else the default. Resolves when the
 * first screen can be shown; for others see loadTexts. A stored language that is not allowed is replaced by the
 * default, and the page reloads shortly after.
 */
export async function startI18n(
  reload: () => void = () => window.location.reload(),
): Promise<void> {
  const { language, mustReload } = chooseLanguage()
  if (mustReload) setTimeout(reload, RELOAD_DELAY_MS)

  // A part that an earlier start requested would count as the whole language in this one.
  await Promise.allSettled(later.values())
  later.clear()
  i18next.on('languageChanged', (code) => applyLanguage(languageOf(code as LanguageCode)))
  await i18next
    .use(localeFiles(() => later.has('rest')))
    .use(initReactI18next)
    .init({
      lng: language.code,
      fallbackLng: defaultLanguage.code,
      load: 'currentOnly',
      keySeparator: false,
      nsSeparator: false,
      returnNull: false,
      interpolation: { escapeValue: false },
      react: { useSuspense: false, bindI18nStore: 'added' },
    })
}

type LaterPart = Exclude<TextPart, 'first'>

/** Parts requested besides the first one. */
const later = new Map<LaterPart, Promise<void>>()

function addPart(part: LaterPart): Promise<void> {
  const known = later.get(part)
  if (known) return known
  const adding = Promise.all(
    i18next.languages.map(async (code) => {
      i18next.addResourceBundle(code, 'translation', await loadPart(code, part), false, true)
    }),
  ).then(
    () => undefined,
    (error: unknown) => {
      later.delete(part)
      throw error
    },
  )
  later.set(part, adding)
  return adding
}

/** Resolves when the texts up to a part are loaded; without a part, all of them. */
export async function loadTexts(upTo: TextPart = 'rest'): Promise<void> {
  const parts = textParts.slice(0, textParts.indexOf(upTo) + 1)
  await Promise.all(parts.map((part) => (part === 'first' ? undefined : addPart(part))))
}

/** Loads a module together with its texts. */
export async function withTexts<Piece>(
  load: () => Promise<Piece>,
  upTo: TextPart = 'rest',
): Promise<Piece> {
  const [piece] = await Promise.all([load(), loadTexts(upTo)])
  return piece
}

function chooseLanguage(): { language: Language; mustReload: boolean } {
  const fromUrl = findLanguage(takeUrlParameter('lang') ?? '')
  if (fromUrl && isAllowed(fromUrl.code)) {
    storage.write('locale', fromUrl.code)
    return { language: fromUrl, mustReload: false }
  }
  const stored = storage.read('locale')
  if (stored === null) return { language: defaultLanguage, mustReload: false }
  const known = findLanguage(stored)
  if (known && isAllowed(known.code)) return { language: known, mustReload: false }
  storage.write('locale', defaultLanguage.code)
  return { language: defaultLanguage, mustReload: true }
}

/** Switches the language at once, without a reload, and stores it. */
export async function changeLanguage(code: LanguageCode): Promise<void> {
  storage.write('locale', code)
  // From here on every language is loaded completely.
  await loadTexts()
  await i18next.changeLanguage(code)
}

/** The active language. */
export function currentLanguage(): Language {
  return findLanguage(i18next.language ?? '') ?? defaultLanguage
}

let bodyClass: string | null = null

/** Updates the document: lang and dir on <html>, a language class on <body>. */
function applyLanguage(language: Language): void {
  document.documentElement.lang = language.tag
  document.documentElement.dir = language.dir
  if (bodyClass) document.body.classList.remove(bodyClass)
  document.body.classList.add(language.code)
  bodyClass = language.code
}
