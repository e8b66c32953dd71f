import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { withTexts } from '@/i18n/i18n'
import { IconButton } from '@/ui/icon-button'
import type { TermsSheetProps } from './terms-sheet'

const TermsSheet = lazy(async () => ({
  default: (await withTexts(() => import('./terms-sheet'))).TermsSheet,
}))

export type TermsButtonProps = Pick<TermsSheetProps, 'productId'>

/** Opens the terms of a product. */
export function TermsButton({ productId }: TermsButtonProps) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  return (
    <>
      <IconButton icon="info" label={t('trade.terms')} onClick={() => setOpen(true)} />
      {open && (
        <Suspense>
          <TermsSheet productId={productId} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
