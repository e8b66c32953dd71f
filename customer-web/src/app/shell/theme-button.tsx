import { useTranslation } from 'react-i18next'
import { setPreferences } from '@/theme/preferences'
import { useShownTheme } from '@/theme/use-shown-theme'
import { IconButton } from '@/ui/icon-button'

/** Toggles between light and dark; the preferences page also offers the device's theme. */
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
