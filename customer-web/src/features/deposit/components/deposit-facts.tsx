import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatAmount } from '@/format/amount'
import styles from '@/ui/block.module.css'
import { Num } from '@/ui/num'
import { TimeText } from '@/ui/time-text'
import type { Deposit } from '../api/deposits'
import { isZeroFee } from '../model/limits'
import { OfferRate } from './offer-view'

export type DepositFactsProps = { deposit: Deposit }

/** The facts of a deposit: number, amounts, reference and times. */
export function DepositFacts({ deposit }: DepositFactsProps) {
  const { t } = useTranslation()
  const { currency, received, proofAt, decidedAt, offer } = deposit
  const isCrypto = deposit.kind === 'standard'
  const facts: [string, ReactNode][] = [
    [t('deposit.fact.number'), <Num key="no">{deposit.rechargeNo}</Num>],
    isCrypto
      ? [
          t('deposit.fact.confirmations'),
          <Num key="confirmations">
            {deposit.confirmations ?? 0}/{deposit.required ?? 0}
          </Num>,
        ]
      : [t('deposit.fact.reference'), <Num key="reference">{deposit.reference}</Num>],
    [
      isCrypto ? t('deposit.fact.arrived') : t('deposit.fact.announced'),
      <span key="amount">
        <Num>{formatAmount(deposit.amount)}</Num> {currency}
      </span>,
    ],
    [
      t(isCrypto ? 'deposit.timeline.seen' : 'deposit.fact.created'),
      <TimeText key="created" at={deposit.createdAt} />,
    ],
  ]
  if (offer !== undefined) {
    facts.push(
      [
        t('deposit.offer.pay'),
        <span key="pay">
          <Num>{formatAmount(offer.amount)}</Num> {offer.currency}
        </span>,
      ],
      [t('deposit.offer.rate'), <OfferRate key="rate" currency={currency} offer={offer} />],
    )
    if (offer.agreedAt !== undefined) {
      facts.push([t('deposit.offer.agreed_at'), <TimeText key="agreed" at={offer.agreedAt} />])
    }
  }
  if (received !== undefined) {
    facts.push([
      t('deposit.fact.received'),
      <span key="received">
        <Num>{formatAmount(received)}</Num> {currency}
      </span>,
    ])
  }
  if (deposit.fee !== undefined && !isZeroFee(deposit.fee)) {
    facts.push(
      [
        t('deposit.sum.fee'),
        <span key="fee">
          <Num>{formatAmount(deposit.fee)}</Num> {currency}
        </span>,
      ],
      [
        t('deposit.timeline.credited'),
        <span key="credited">
          <Num>{formatAmount(deposit.credited)}</Num> USDT
        </span>,
      ],
    )
  }
  if (deposit.txHash !== undefined) {
    facts.push([
      t('deposit.fact.transaction'),
      <a key="hash" href={deposit.explorer} target="_blank" rel="noreferrer" className={styles.out}>
        <bdi dir="ltr" className="n">
          {deposit.txHash.slice(0, 10)}…{deposit.txHash.slice(-8)}
        </bdi>
      </a>,
    ])
  }
  if (proofAt !== undefined && !isCrypto) {
    facts.push([t('deposit.fact.proof_at'), <TimeText key="proof" at={proofAt} />])
  }
  if (decidedAt !== undefined) {
    facts.push([t('deposit.fact.decided_at'), <TimeText key="decided" at={decidedAt} />])
  }
  return (
    <section className={styles.block}>
      <dl className={styles.pairs}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
