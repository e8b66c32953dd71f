import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/button'
import { Sheet } from '@/ui/sheet/sheet'

export type ReviewSheetProps = {
  open: boolean
  variant: 'primary' | 'buy' | 'sell'
  /** The order can't be sent any more, as the market closed or the price is out of date. */
  off: boolean
  /** The label of the button that sends the order. */
  label: ReactNode
  onSend: () => void
  onClose: () => void
  children: ReactNode
}

/** Shows an order before it is sent. The price in it stays live. */
export function ReviewSheet({
  open,
  variant,
  off,
  label,
  onSend,
  onClose,
  children,
}: ReviewSheetProps) {
  const { t } = useTranslation()
  return (
    <Sheet
      open={open}
      title={t('trade.review.title')}
      onClose={onClose}
      footer={
        <>
          <Button size="large" onClick={onClose}>
            {t('trade.review.back')}
          </Button>
          <Button size="large" variant={variant} disabled={off} onClick={onSend}>
            {label}
          </Button>
        </>
      }
    >
      {children}
    </Sheet>
  )
}
