import { useTranslation } from 'react-i18next'
import { formatAmount, formatPercent } from '@/format/amount'
import styles from '@/ui/block.module.css'
import { Num } from '@/ui/num'
import { isOneToOne, sumsOf } from '../model/limits'

export type SumBlockProps = {
  /** A decimal string; empty while nothing is typed. */
  amount: string
  currency: string
  /** Percent of the received amount. */
  feeRate: string
  /** A provider handles the payment, not a bank. */
  viaProvider?: boolean
  /** A merchant names the price later. */
  offered?: boolean
}

/** The amount sent, the fee and the amount credited. */
export function SumBlock({
  amount,
  currency,
  feeRate,
  viaProvider = false,
  offered = false,
}: SumBlockProps) {
  const { t } = useTranslation()
  const { fee, net, free } = sumsOf(amount, feeRate)
  const typed = amount !== ''
  return (
    <section className={styles.block}>
      <dl className={styles.pairs}>
        <div>
          <dt>{t(offered ? 'deposit.amount.label' : 'deposit.sum.send')}</dt>
          <dd>
            <Num>{formatAmount(amount)}</Num> {currency}
          </dd>
        </div>
        <div>
          <dt>{t('deposit.sum.fee')}</dt>
          <dd>
            {free ? (
              t('deposit.sum.none')
            ) : (
              <>
                {typed && (
                  <>
                    <Num>{formatAmount(fee)}</Num> {currency}{' '}
                  </>
                )}
                <bdi dir="ltr">({formatPercent(feeRate)})</bdi>
              </>
            )}
          </dd>
        </div>
        {isOneToOne(currency) && (
          <div>
            <dt>{t('deposit.sum.receive')}</dt>
            <dd>
              <Num>{formatAmount(typed ? net : amount)}</Num> USDT
            </dd>
          </div>
        )}
      </dl>
      {!viaProvider && <p className={styles.small}>{t('deposit.sum.note')}</p>}
      {offered && <p className={styles.small}>{t('deposit.offer.before')}</p>}
    </section>
  )
}
