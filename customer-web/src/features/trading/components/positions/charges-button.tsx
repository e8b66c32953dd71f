import ButtonBase from '@mui/material/ButtonBase'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { Wire } from '@/api/client'
import type { Product } from '@/features/market/api/products'
import { toScaled } from '@/format/arithmetic'
import { withTexts } from '@/i18n/i18n'
import styles from './charges-text.module.css'

const ChargesSheet = lazy(async () => ({
  default: (await withTexts(() => import('./charges-sheet'))).ChargesSheet,
}))

export type ChargesButtonProps = {
  position: Pick<Wire['Position'], 'positionId' | 'swap' | 'dividends'>
  product: Product | undefined
  title?: string
  children: ReactNode
}

/** A sum that, if the position was charged, lists the charges when pressed. */
export function ChargesButton({ position, product, title, children }: ChargesButtonProps) {
  const [open, setOpen] = useState(false)
  if (!toScaled(position.swap, 6) && !toScaled(position.dividends, 6)) {
    return <span title={title}>{children}</span>
  }
  return (
    <>
      <ButtonBase className={styles.open} title={title} onClick={() => setOpen(true)}>
        {children}
      </ButtonBase>
      {open && (
        <Suspense>
          <ChargesSheet position={position} product={product} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
