import i18next, { type ParseKeys } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { RELOAD_DELAY_MS } from '@/constants'
import { noteChange } from '@/storage/preference-changes'
import { storage } from '@/storage/storage'
import {
  defaultLanguage,
  findLanguage,
  type Language,
  type LanguageCode,
  languageOf,
} from './languages'
import { isAllowed, localeFiles } from './locale-files'
import { type Namespace, namespaces } from './namespaces'
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

  i18next.on('languageChanged', (code) => applyLanguage(languageOf(code as LanguageCode)))
  await i18next
    .use(localeFiles)
    .use(initReactI18next)
    .init({
      lng: language.code,
      fallbackLng: defaultLanguage.code,
      load: 'currentOnly',
      ns: ['common'],
      defaultNS: 'common',
      fallbackNS: namespaces,
      keySeparator: false,
      nsSeparator: false,
      returnNull: false,
      // The language is known at once, so that the texts of the first screen load beside those of every screen.
      initAsync: false,
      interpolation: { escapeValue: false },
      react: { useSuspense: false, bindI18nStore: 'added' },
    })
}

/** Loads namespaces, all of them if none is named. It fails if the active language lacks one then; the next call tries again. */
export async function loadTexts(names: readonly Namespace[] = namespaces): Promise<void> {
  await i18next.loadNamespaces(names)
  const missing = names.filter((name) => !i18next.hasResourceBundle(i18next.language, name))
  if (missing.length === 0) return
  // i18next does not ask again for what could not be loaded once.
  await i18next.reloadResources(i18next.languages, missing)
  for (const name of missing) {
    if (!i18next.hasResourceBundle(i18next.language, name)) throw new Error(`no texts: ${name}`)
  }
}

/** Loads a module together with its texts. */
export async function withTexts<Piece>(
  load: () => Promise<Piece>,
  names?: readonly Namespace[],
): Promise<Piece> {
  const [piece] = await Promise.all([load(), loadTexts(names)])
  return piece
}

function chooseLanguage(): { language: Language; mustReload: boolean } {
  const fromUrl = findLanguage(takeUrlParameter('lang') ?? '')
  if (fromUrl && isAllowed(fromUrl.code)) {
    if (storage.read('locale') !== fromUrl.code) noteChange('language')
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
