import { changeLanguage } from '@/i18n/i18n'
import type { LanguageCode } from '@/i18n/languages'
import { fixDirection } from '@/theme/preferences'

/** Switches to the chosen language; the first choice also fixes the price colours. */
export async function chooseLanguage(code: LanguageCode): Promise<void> {
  fixDirection(code)
  await changeLanguage(code)
}
