import { changeLanguage } from '@/i18n/i18n'
import { type LanguageCode, languageOf } from '@/i18n/languages'
import { loadDirection } from '@/theme/mui-root'
import { fixDirection } from '@/theme/preferences'

/** Switches to the chosen language; the first choice also fixes the price colours. */
export async function chooseLanguage(code: LanguageCode): Promise<void> {
  fixDirection(code)
  await loadDirection(languageOf(code).dir)
  await changeLanguage(code)
}
