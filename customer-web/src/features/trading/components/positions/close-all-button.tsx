import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAccount } from '@/live/account-store'
import { useDesktop } from '@/theme/use-media'
import { Button } from '@/ui/button'
import { cx } from '@/ui/cx'
import styles from './close-all-button.module.css'
import { CloseAllSheet } from './close-all-sheet'

export type CloseAllButtonProps = {
  /** The preselected product. */
  productId?: number
  /** Stands in a row with others instead of a row of its own. */
  inline?: boolean
}

/** Opens the bulk close sheet; shown if there is more than one. */
export function CloseAllButton({ productId, inline = false }: CloseAllButtonProps) {
  const { t } = useTranslation()
  const desktop = useDesktop()
  const several = useAccount(({ positions }) => (positions?.length ?? 0) > 1)
  const [open, setOpen] = useState(false)
  return (
    <>
      {several && (
        <span className={cx(!inline && styles.row)}>
          <Button size={desktop ? 'small' : 'medium'} onClick={() => setOpen(true)}>
            {t('position.close_all')}
          </Button>
        </span>
      )}
      {open && <CloseAllSheet productId={productId} onClose={() => setOpen(false)} />}
    </>
  )
}
