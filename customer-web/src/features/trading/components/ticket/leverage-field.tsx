import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'
import { bidiIsolate } from '@/format/bidi-isolate'
import { useKnowsLimits, useLeverageCaps, useLeverageCeiling } from '@/session/info-query'
import { SelectField } from '@/ui/form/select-field'
import { Skeleton } from '@/ui/skeleton'
import { editTicket, leveragesOf, useTicket } from '../../model/ticket-store'
import { useOrderContext } from '../../model/use-order-context'
import styles from './order-ticket.module.css'

export type LeverageFieldProps = { product: Product }

/** The leverage of the ticket: those of the product, and why higher ones are not offered. */
export const LeverageField = memo(function LeverageField({ product }: LeverageFieldProps) {
  const { t } = useTranslation()
  const leverage = useTicket((ticket) => ticket.leverage)
  const caps = useLeverageCaps()
  const ceiling = useLeverageCeiling()
  const known = useKnowsLimits()
  const { held } = useOrderContext(product)
  if (!known)
    return (
      <div className={styles.unknown} aria-busy>
        <span>{t('trade.leverage')}</span>
        <Skeleton width={56} height={14} />
      </div>
    )
  const allowed = leveragesOf(product, caps)
  const list = leveragesOf(product, caps, ceiling)
  const reason =
    list.length < allowed.length
      ? 'ceiling'
      : leveragesOf(product).some((one) => !allowed.includes(one)) && 'cap'
  return (
    <div className={styles.block}>
      <SelectField
        label={t('trade.leverage')}
        className={styles.leverage}
        value={leverage}
        options={list.toSorted((a, b) => a - b).map((value) => ({ value, text: `1:${value}` }))}
        onPick={(picked) => editTicket({ leverage: picked })}
      />
      {held && held.leverage !== leverage && (
        <p className={styles.caption}>
          {t('trade.leverage_joins', { leverage: bidiIsolate(`1:${held.leverage}`) })}
        </p>
      )}
      {reason && (
        <p className={styles.caption}>
          {t(`trade.leverage_${reason}`, { most: bidiIsolate(`1:${Math.max(...list)}`) })}
        </p>
      )}
    </div>
  )
})
