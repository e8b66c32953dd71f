import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'
import { openChargeReceipt } from '@/features/receipt/model/open-receipt'
import { MoneyText } from '@/features/wallet/components/money-text'
import { directionOf, formatAmount, formatPercent, formatSigned } from '@/format/amount'
import { formatLots } from '@/format/lots'
import { formatPrice } from '@/format/price'
import { formatDate } from '@/format/time'
import { Button } from '@/ui/button'
import { ChangeText } from '@/ui/change-text'
import { Mark } from '@/ui/icons/mark'
import { Num } from '@/ui/num'
import { useTimeStyle } from '@/ui/time-text'
import type { Charge } from '../../api/charges'
import styles from './charge-list.module.css'

export type ChargeRowProps = {
  charge: Charge
  product: Product | undefined
  /** Names the position and masks the amount while amounts are hidden; used in the account's list. */
  named: boolean
}

/** One swap or dividend: day and nights, rate with unit, amount, and receipt. */
export function ChargeRow({ charge, product, named }: ChargeRowProps) {
  const { t } = useTranslation()
  const style = useTimeStyle()
  const { kind, side, lots, day, nights, rate, unit, price, amount } = charge
  const at = product ? formatPrice(price, product.point) : formatAmount(price)
  const rates = {
    points: formatAmount(rate),
    money: `${formatAmount(rate)} USDT`,
    percent: `${formatPercent(rate)} × ${at}`,
    dividend: `${formatAmount(rate)} ${product?.quote ?? ''}`,
  }
  return (
    <li className={styles.row}>
      <span className={styles.what}>
        {t(`ledger.kind.${kind}`)}
        {named && (
          <span className={styles.name}>
            {product?.productNo} {t(side === 'buy' ? 'trade.buy' : 'trade.sell')}{' '}
            <Num>{formatLots(product, lots)}</Num>
          </span>
        )}
      </span>
      <span className={styles.amount}>
        {named ? (
          <MoneyText className={directionOf(amount, 2)}>{formatSigned(amount)}</MoneyText>
        ) : (
          <ChangeText kind="number" value={amount} />
        )}
      </span>
      <span className={styles.sub}>
        <time dateTime={day}>{formatDate(Date.parse(day), { ...style, timeZone: 'utc' })}</time>
        {kind === 'swap' && <span>{t('charges.nights', { count: nights })}</span>}
        <span>
          {t(`charges.rate.${unit}`)} <Num>{rates[unit]}</Num>
        </span>
        {!named && (
          <span>
            <Num>{formatLots(product, lots)}</Num> {t('trade.lots')}
          </span>
        )}
        <Button
          size="small"
          className={styles.proof}
          onClick={() => openChargeReceipt(charge.chargeId)}
        >
          <Mark size={16} />
          {t('position.proof')}
        </Button>
      </span>
    </li>
  )
}
