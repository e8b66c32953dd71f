import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { useDesktop } from '@/theme/use-media'
import { cx } from '@/ui/cx'
import { IconButton } from '@/ui/icon-button'
import { HOME_PATH } from '../routes'
import { useTitle } from '../use-title'
import styles from './page.module.css'

export type PageProps = {
  title: string
  /** Shown after the title: a tag or an icon button. */
  aside?: ReactNode
  /** The content extends to the bottom edge and has its own footer. */
  full?: boolean
  /** As wide as pages of data on a desktop. */
  wide?: boolean
  children: ReactNode
}

/**
 * A page below the main screens: on a phone a top bar with a back button, on a desktop a heading over a column.
 * Also sets the document title.
 */
export function Page({ title, aside, full = false, wide = false, children }: PageProps) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { key } = useLocation()
  const desktop = useDesktop()
  useTitle(title)

  const goBack = () => {
    // The first page of a visit has the key "default", so there is no page of ours to go back to.
    if (key === 'default') void navigate(HOME_PATH)
    else void navigate(-1)
  }

  return (
    <div className={cx(styles.page, full && styles.full, wide && styles.wide)}>
      <div className={styles.top}>
        {!desktop && (
          <IconButton icon="back" label={t('ui.back')} size={22} strong onClick={goBack} />
        )}
        <h1>{title}</h1>
        {aside && <div className={styles.aside}>{aside}</div>}
      </div>
      {children}
    </div>
  )
}
