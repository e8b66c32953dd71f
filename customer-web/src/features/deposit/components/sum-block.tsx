import { useTranslation } from 'react-i18next'
import { formatAmount } from '@/format/amount'
import { Num } from '@/ui/num'
import { isOneToOne } from '../model/limits'
import styles from './deposit.module.css'

export type SumBlockProps = {
  /** A decimal string; empty while nothing is typed. */
  amount: string
  currency: string
  /** Through a provider: no bank is between. */
  through?: boolean
}

/** What is sent, what it costs and what arrives. */
export function SumBlock({ amount, currency, through = false }: SumBlockProps) {
  const { t } = useTranslation()
  const shown = formatAmount(amount)
  return (
    <section className={styles.block}>
      <dl className={styles.pairs}>
        <div>
          <dt>{t('deposit.sum.send')}</dt>
          <dd>
            <Num>{shown}</Num> {currency}
          </dd>
        </div>
        <div>
          <dt>{t('deposit.sum.fee')}</dt>
          <dd>{t('deposit.sum.none')}</dd>
        </div>
        {isOneToOne(currency) && (
          <div>
            <dt>{t('deposit.sum.receive')}</dt>
            <dd>
              <Num>{shown}</Num> USDT
            </dd>
          </div>
        )}
      </dl>
      {!through && <p className={styles.small}>{t('deposit.sum.note')}</p>}
    </section>
  )
}
