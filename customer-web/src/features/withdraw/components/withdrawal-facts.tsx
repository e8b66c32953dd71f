import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { AddressText } from '@/features/payee/components/address-text'
import { formatAmount } from '@/format/amount'
import { groupByFour } from '@/format/iban'
import styles from '@/ui/block.module.css'
import { CopyButton } from '@/ui/copy-button'
import { Num } from '@/ui/num'
import { TimeText } from '@/ui/time-text'
import type { Withdrawal } from '../api/withdrawals'
import { isZeroSum } from '../model/sums'
import own from './withdraw.module.css'

export type WithdrawalFactsProps = { withdrawal: Withdrawal }

/** The facts of a withdrawal: amounts, payee, number and times. */
export function WithdrawalFacts({ withdrawal }: WithdrawalFactsProps) {
  const { t } = useTranslation()
  const { currency, fee, sentAt, endedAt, payment, answer } = withdrawal
  const money = (sum: string) => (
    <>
      <Num>{formatAmount(sum)}</Num> {currency}
    </>
  )
  const sums: [string, ReactNode][] = [
    [t('withdraw.fact.amount'), money(withdrawal.amount)],
    [t('withdraw.fact.fee'), isZeroSum(fee) ? t('withdraw.sum.none') : money(fee)],
    [t('withdraw.fact.net'), money(withdrawal.net)],
  ]
  const { iban = '', address, memo, required, explorer } = withdrawal
  const proof = t(address === undefined ? 'withdraw.fact.payment' : 'withdraw.fact.hash')
  const destination: [string, ReactNode][] =
    address === undefined
      ? [
          [t('deposit.transfer.holder'), <bdi key="holder">{withdrawal.holder}</bdi>],
          [t('deposit.transfer.bank'), <bdi key="bank">{withdrawal.bank}</bdi>],
          [t('deposit.transfer.iban'), <Num key="iban">{groupByFour(iban)}</Num>],
          [t('deposit.transfer.bic'), <Num key="bic">{withdrawal.bic}</Num>],
        ]
      : [
          [t('withdraw.fact.chain'), <bdi key="chain">{withdrawal.chainName}</bdi>],
          [t('withdraw.fact.address'), <AddressText key="address" address={address} />],
        ]
  if (memo !== undefined) destination.push([t('withdraw.fact.memo'), <Num key="memo">{memo}</Num>])
  const rest: [string, ReactNode][] = [
    [t('withdraw.fact.number'), <Num key="no">{withdrawal.withdrawNo}</Num>],
    [t('withdraw.fact.created'), <TimeText key="created" at={withdrawal.createdAt} />],
  ]
  if (sentAt !== undefined) {
    rest.push([t('withdraw.fact.sent'), <TimeText key="sent" at={sentAt} />])
  }
  if (endedAt !== undefined) {
    rest.push([t('withdraw.fact.ended'), <TimeText key="ended" at={endedAt} />])
  }
  return (
    <>
      <section className={styles.block}>
        <Pairs list={sums} />
      </section>
      <section className={styles.block}>
        <Pairs list={destination} />
      </section>
      <section className={styles.block}>
        <Pairs list={rest} />
        {required !== undefined && (
          <Pairs
            list={[
              [
                t('withdraw.fact.confirmations'),
                <Num key="confirmations">
                  {withdrawal.confirmations ?? 0} / {required}
                </Num>,
              ],
            ]}
          />
        )}
        {payment !== undefined && (
          <dl className={styles.pairs}>
            <div className={own.payment}>
              <dt>{proof}</dt>
              <dd>
                <Num>{payment}</Num>
                <CopyButton text={payment} what={proof} />
              </dd>
            </div>
          </dl>
        )}
        {explorer !== undefined && (
          <a href={explorer} target="_blank" rel="noreferrer" className={styles.link}>
            {t('withdraw.fact.explorer')}
          </a>
        )}
        {answer !== undefined && (
          <div>
            <p className={styles.small}>{t('withdraw.fact.answer')}</p>
            <p className={own.words}>
              <bdi>{answer}</bdi>
            </p>
          </div>
        )}
      </section>
    </>
  )
}

function Pairs({ list }: { list: [string, ReactNode][] }) {
  return (
    <dl className={styles.pairs}>
      {list.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
