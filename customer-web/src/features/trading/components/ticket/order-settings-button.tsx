import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '@/ui/icon-button'
import type { OrderSettingsSheetProps } from './order-settings-sheet'

const OrderSettingsSheet = lazy(async () => ({
  default: (await import('./order-settings-sheet')).OrderSettingsSheet,
}))

/** Opens the settings of the ticket. */
export function OrderSettingsButton({ product }: Pick<OrderSettingsSheetProps, 'product'>) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  return (
    <>
      <IconButton icon="sliders" label={t('order_settings.title')} onClick={() => setOpen(true)} />
      {open && (
        <Suspense>
          <OrderSettingsSheet product={product} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
