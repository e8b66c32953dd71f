import { useTranslation } from 'react-i18next'
import { setPreferences } from '@/theme/preferences'
import { useShownTheme } from '@/theme/use-shown-theme'
import { IconButton } from '@/ui/icon-button'

/** Switches between light and dark with one press; "as the device" is on the preferences page. */
export function ThemeButton() {
  const { t } = useTranslation()
  const isDark = useShownTheme() === 'dark'
  return (
    <IconButton
      icon={isDark ? 'sun' : 'moon'}
      label={isDark ? t('shell.theme.to_light') : t('shell.theme.to_dark')}
      onClick={() => setPreferences({ themeMode: isDark ? 'light' : 'dark' })}
    />
  )
}
