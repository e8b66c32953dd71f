import { changeLanguage } from '@/i18n/i18n'
import { type LanguageCode, languageOf } from '@/i18n/languages'
import { noteChange } from '@/storage/preference-changes'
import { loadDirection } from './mui-root'
import { fixDirection } from './preferences'

/** Switches to a language that the trader did not choose now: the one of the account. */
export async function applyLanguage(code: LanguageCode): Promise<void> {
  fixDirection(code)
  await loadDirection(languageOf(code).dir)
  await changeLanguage(code)
}

/** Switches to the chosen language; the first choice also fixes the price colours. */
export async function chooseLanguage(code: LanguageCode): Promise<void> {
  noteChange('language')
  await applyLanguage(code)
}
