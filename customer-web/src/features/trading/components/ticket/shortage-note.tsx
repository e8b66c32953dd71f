import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'
import { formatFixed } from '@/format/amount'
import { toScaled } from '@/format/arithmetic'
import { bidiIsolate } from '@/format/bidi-isolate'
import { formatLots } from '@/format/lots'
import { useIsDemo } from '@/session/session-store'
import { Button } from '@/ui/button'
import { Note } from '@/ui/note'
import { editTicket } from '../../model/ticket-store'
import type { Shortage } from '../../model/use-shortage'
import styles from './shortage-note.module.css'

export type ShortageNoteProps = Shortage & { product: Product }

/** The margin is insufficient for an order; offers a smaller volume or a deposit. */
export function ShortageNote({ product, needed, free, most }: ShortageNoteProps) {
  const { t } = useTranslation()
  const demo = useIsDemo()
  const sum = (value: string) => bidiIsolate(formatFixed(value, 2))
  if (toScaled(free, 6) === 0n && most === '0')
    return (
      <Button block size="large" variant="primary" to={demo ? '/switchAccount' : '/deposite'}>
        {t(demo ? 'margin.top_up' : 'margin.deposit')}
      </Button>
    )
  return (
    <>
      <Note tone="warning">
        {t('error.order.no_margin', { needed: sum(needed), free: sum(free) })}
      </Note>
      <div className={styles.ways}>
        {most !== '0' && (
          <Button onClick={() => editTicket({ lots: most })}>
            {t('margin.short.set', { lots: bidiIsolate(formatLots(product, most)) })}
          </Button>
        )}
        <Button to={demo ? '/switchAccount' : '/deposite'}>
          {t(demo ? 'home.quick.top_up' : 'home.quick.deposit')}
        </Button>
      </div>
    </>
  )
}
