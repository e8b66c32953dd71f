import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAccount } from '@/live/account-store'
import { useDesktop } from '@/theme/use-media'
import { Button } from '@/ui/button'
import styles from './close-all-button.module.css'
import { CloseAllSheet } from './close-all-sheet'

export type CloseAllButtonProps = {
  /** The preselected product. */
  productId?: number
}

/** Opens the bulk close sheet; shown below the positions if there is more than one. */
export function CloseAllButton({ productId }: CloseAllButtonProps) {
  const { t } = useTranslation()
  const desktop = useDesktop()
  const several = useAccount(({ positions }) => (positions?.length ?? 0) > 1)
  const [open, setOpen] = useState(false)
  return (
    <>
      {several && (
        <p className={styles.row}>
          <Button size={desktop ? 'small' : 'medium'} onClick={() => setOpen(true)}>
            {t('position.close_all')}
          </Button>
        </p>
      )}
      {open && <CloseAllSheet productId={productId} onClose={() => setOpen(false)} />}
    </>
  )
}
