import { changeLanguage } from '@/i18n/i18n'
import type { LanguageCode } from '@/i18n/languages'
import { fixDirection } from '@/theme/preferences'

/** The trader chose a language: switches to it, and with the first choice settles the price colours. */
export async function chooseLanguage(code: LanguageCode): Promise<void> {
  fixDirection(code)
  await changeLanguage(code)
}
