import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { withTexts } from '@/i18n/i18n'
import { IconButton } from '@/ui/icon-button'

const AccountMenu = lazy(() => withTexts(() => import('./account-menu')))

/** Opens the account menu below the header; Escape or a press outside closes it. */
export function AccountButton() {
  const { t } = useTranslation()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [open, setOpen] = useState(false)
  return (
    <>
      <IconButton
        icon="user"
        label={t('shell.nav.me')}
        expanded={open}
        onClick={(event) => {
          setAnchor(event.currentTarget)
          setOpen(true)
        }}
      />
      {anchor && (
        <Suspense>
          <AccountMenu anchor={anchor} open={open} onLeave={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
