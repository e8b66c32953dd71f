import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatAmount, formatPercent } from '@/format/amount'
import { bidiIsolate } from '@/format/bidi-isolate'
import styles from '@/ui/block.module.css'
import { Button } from '@/ui/button'
import { FailureNote } from '@/ui/failure-note'
import { Num } from '@/ui/num'
import type { Deposit } from '../api/deposits'
import { useUpdateRechargeAgreed } from '../api/writes'
import { sumsOf } from '../model/limits'
import { Countdown } from './countdown'

export type OfferViewProps = { deposit: Deposit; offer: NonNullable<Deposit['offer']> }

/** A merchant's offer, its expiry, and the accept button. */
export function OfferView({ deposit, offer }: OfferViewProps) {
  const { t } = useTranslation()
  const [checking, setChecking] = useState(false)
  const write = useUpdateRechargeAgreed(() => setChecking(true))
  const { currency } = deposit
  const { fee, net, free } = sumsOf(deposit.amount, deposit.feeRate)
  const pay = formatAmount(offer.amount)

  return (
    <>
      <section className={styles.block}>
        <h2>
          {t('deposit.offer.title', {
            pay: `${bidiIsolate(pay)} ${offer.currency}`,
            get: `${bidiIsolate(formatAmount(net))} ${currency}`,
          })}
        </h2>
        <dl className={styles.pairs}>
          <div>
            <dt>{t('deposit.offer.pay')}</dt>
            <dd>
              <Num>{pay}</Num> {offer.currency}
            </dd>
          </div>
          <div>
            <dt>{t('deposit.offer.rate')}</dt>
            <dd>
              <OfferRate currency={currency} offer={offer} />
            </dd>
          </div>
          <div>
            <dt>{t('deposit.sum.fee')}</dt>
            <dd>
              {free ? (
                t('deposit.sum.none')
              ) : (
                <>
                  <Num>{formatAmount(fee)}</Num> {currency}{' '}
                  <bdi dir="ltr">({formatPercent(deposit.feeRate)})</bdi>
                </>
              )}
            </dd>
          </div>
          <div>
            <dt>{t('deposit.sum.receive')}</dt>
            <dd>
              <Num>{formatAmount(net)}</Num> {currency}
            </dd>
          </div>
        </dl>
        <Countdown until={deposit.expiresAt} />
        {write.error && <FailureNote error={write.error} />}
      </section>
      <div className={styles.actions}>
        <Button
          variant="primary"
          size="large"
          block
          busy={write.isPending}
          onClick={() =>
            write.mutate(
              { rechargeId: deposit.rechargeId },
              { onSettled: () => setChecking(false) },
            )
          }
        >
          {t(checking ? 'deposit.checking' : 'deposit.offer.accept')}
        </Button>
      </div>
    </>
  )
}

/** The rate of an offer: the price of one unit of the deposit's currency. */
export function OfferRate({
  currency,
  offer,
}: {
  currency: string
  offer: OfferViewProps['offer']
}) {
  return <Num>{`1 ${currency} = ${formatAmount(offer.rate)} ${offer.currency}`}</Num>
}
