import { lazy, Suspense, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { withTexts } from '@/i18n/i18n'
import { IconButton } from '@/ui/icon-button'
import { SkeletonRows } from '@/ui/skeleton-rows'
import styles from './account-menu.module.css'

const AccountMenu = lazy(() => withTexts(() => import('./account-menu')))

/** Opens the account menu below the header; Escape or a press outside closes it. */
export function AccountButton() {
  const { t } = useTranslation()
  const id = useId()
  const menu = useRef<HTMLElement>(null)
  const [used, setUsed] = useState(false)
  return (
    <>
      <IconButton icon="user" label={t('shell.nav.me')} popover={id} />
      <section
        ref={menu}
        id={id}
        popover="auto"
        aria-label={t('shell.nav.me')}
        className={styles.menu}
        onBeforeToggle={() => setUsed(true)}
      >
        {used && (
          <Suspense fallback={<SkeletonRows rows={5} />}>
            <AccountMenu onLeave={() => menu.current?.hidePopover()} />
          </Suspense>
        )}
      </section>
    </>
  )
}
