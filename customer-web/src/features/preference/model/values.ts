import { currentLanguage } from '@/i18n/i18n'
import { defaultLanguage, findLanguage } from '@/i18n/languages'
import { isAllowed } from '@/i18n/locale-files'
import { type PreferenceName, readEntry } from '@/storage/entries'
import { storage } from '@/storage/storage'
import { applyLanguage } from '@/theme/choose-language'
import {
  applyPreferences,
  defaultPreferences,
  type Preferences,
  usePreferences,
} from '@/theme/preferences'

type Values = Partial<Record<PreferenceName, unknown>>

/** This device's value of a preference. */
export function readValue(name: PreferenceName): unknown {
  switch (name) {
    case 'theme':
      return usePreferences.getState().themeMode
    case 'language':
      return currentLanguage().code
    case 'defaultLots':
      return storage.read('defaultLots') ?? {}
    default:
      return usePreferences.getState()[name]
  }
}

/** The value of a trader who has not changed the preference. */
export function defaultValue(name: PreferenceName): unknown {
  switch (name) {
    case 'theme':
      return defaultPreferences.themeMode
    case 'language':
      return defaultLanguage.code
    case 'defaultLots':
      return {}
    default:
      return defaultPreferences[name]
  }
}

/** Reports whether this app and browser can use a value: a newer app may have stored others, another browser knows other time zones. */
export function isUsable(name: PreferenceName, value: unknown): boolean {
  const text = JSON.stringify(value)
  switch (name) {
    case 'theme':
      return typeof value === 'string' && readEntry('themeMode', value) !== null
    case 'language': {
      const language = typeof value === 'string' ? findLanguage(value) : null
      return language !== null && isAllowed(language.code)
    }
    case 'defaultLots':
      return readEntry('defaultLots', text) !== null
    default:
      return readEntry('preferences', `{"${name}":${text}}`)?.[name] !== undefined
  }
}

/** Applies usable values at once, without a reload. */
export async function applyValues({ theme, language, defaultLots, ...rest }: Values) {
  if (defaultLots !== undefined) storage.write('defaultLots', defaultLots as Record<string, string>)
  const change = { ...rest, ...(theme === undefined ? {} : { themeMode: theme }) }
  if (Object.keys(change).length > 0) applyPreferences(change as Partial<Preferences>)
  const chosen = findLanguage(String(language))
  if (chosen && chosen.code !== currentLanguage().code) await applyLanguage(chosen.code)
}
