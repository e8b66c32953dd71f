import { useTranslation } from 'react-i18next'
import { shownTheme } from '@/theme/apply-theme'
import { setPreferences, usePreferences } from '@/theme/preferences'
import { useMedia } from '@/theme/use-media'
import { IconButton } from '@/ui/icon-button'

/** Switches between light and dark with one press; "as the device" is on the preferences page. */
export function ThemeButton() {
  const { t } = useTranslation()
  const mode = usePreferences(({ themeMode }) => themeMode)
  const deviceIsLight = useMedia('(prefers-color-scheme: light)')
  const isDark = shownTheme(mode, deviceIsLight) === 'dark'
  return (
    <IconButton
      icon={isDark ? 'sun' : 'moon'}
      label={isDark ? t('shell.theme.to_light') : t('shell.theme.to_dark')}
      onClick={() => setPreferences({ themeMode: isDark ? 'light' : 'dark' })}
    />
  )
}
