import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import type { Product } from '@/features/market/api/products'
import { formatFixed } from '@/format/amount'
import { toScaled } from '@/format/arithmetic'
import { withTexts } from '@/i18n/i18n'
import { Num } from '@/ui/num'
import styles from './charges-text.module.css'

const ChargesSheet = lazy(async () => ({
  default: (await withTexts(() => import('./charges-sheet'))).ChargesSheet,
}))

export type ChargesTextProps = {
  position: Pick<Wire['Position'], 'positionId' | 'swap' | 'dividends'>
  product: Product | undefined
}

/** A position's total charges; if there are any, pressing it lists them. */
export function ChargesText({ position, product }: ChargesTextProps) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  const dividends = toScaled(position.dividends, 6)
  const swap = <Num>{formatFixed(position.swap, 2)}</Num>
  if (!toScaled(position.swap, 6) && !dividends) return swap
  return (
    <>
      <button type="button" className={styles.open} onClick={() => setOpen(true)}>
        {swap}
        {!!dividends && (
          <>
            {' · '}
            {t('position.dividends')} <Num>{formatFixed(position.dividends, 2)}</Num>
          </>
        )}
      </button>
      {open && (
        <Suspense>
          <ChargesSheet position={position} product={product} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
