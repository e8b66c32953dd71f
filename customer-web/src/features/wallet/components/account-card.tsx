import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Wire } from '@/api/client'
import { directionOf, formatFixed, formatSigned } from '@/format/amount'
import { useDesktop } from '@/theme/use-media'
import { Disclosure } from '@/ui/disclosure'
import { Skeleton } from '@/ui/skeleton'
import { Tag } from '@/ui/tag'
import type { WalletAccount } from '../api/wallet'
import { useAccountLabels } from '../model/account-label'
import { MoneyText } from './money-text'
import styles from './wallet.module.css'

export type AccountCardProps = {
  /** The account; undefined until known. */
  account?: WalletAccount | undefined
  demo: boolean
  /** Both undefined until their first answer. */
  money: Wire['Money'] | undefined
  statistics: Wire['Statistics'] | undefined
  /** The amount available to transfer or withdraw; undefined until known, and for mock accounts. */
  available?: string | undefined
  /** The path of the withdrawals; undefined if there are none. */
  withdrawalsPath?: string | undefined
  /** The path of the bonuses. */
  bonusPath: string
}

/** The parts of an account: its balance, what is available, withdrawals under way, and on a phone folded the rest. */
export function AccountCard({
  account,
  demo,
  money,
  statistics,
  available,
  withdrawalsPath,
  bonusPath,
}: AccountCardProps) {
  const { t } = useTranslation()
  const desktop = useDesktop()
  const labelOf = useAccountLabels()

  const row = (
    label: string,
    value: string | undefined,
    note?: string,
    tone?: string,
    way?: ReactNode,
  ) => (
    <div className={styles.pair}>
      <dt>
        {label}
        {note && <small>{note}</small>}
        {way}
      </dt>
      <dd>
        {value === undefined ? (
          <Skeleton width={84} />
        ) : (
          <MoneyText className={tone}>{value}</MoneyText>
        )}
      </dd>
    </div>
  )
  const fixed = (value: string | undefined) =>
    value === undefined ? undefined : formatFixed(value, 2)
  const floating = statistics?.totalProfit
  const owes = directionOf(money?.deficit) !== 'flat'
  const leaves = directionOf(money?.underWay) !== 'flat'
  const owedNote =
    money && directionOf(money.owed) !== 'flat'
      ? t('wallet.owed_note', { amount: formatFixed(money.owed.replace('-', ''), 2) })
      : t('wallet.deficit_note')

  const details = (
    <dl className={styles.details}>
      {!demo && row(t('wallet.equity'), fixed(statistics?.netValue))}
      {row(
        t('wallet.bonus'),
        fixed(statistics?.zengjin),
        t('wallet.bonus_note'),
        undefined,
        directionOf(statistics?.zengjin) !== 'flat' && (
          <Link to={bonusPath} className={styles.way}>
            {t('wallet.bonus.all')}
          </Link>
        ),
      )}
      {row(t('wallet.used_margin'), fixed(statistics?.prepaidAmount))}
      {row(t('wallet.free_margin'), fixed(statistics?.usablePrepaid))}
    </dl>
  )

  return (
    <section className={styles.block} aria-busy={!money || !statistics}>
      <div className={styles.title}>
        <h2>
          <bdi>{labelOf(account ?? { kind: 'contract', number: 1, name: '' })}</bdi>
        </h2>
        {demo && <Tag tone="demo">{t('shell.demo.tag')}</Tag>}
        <span className={styles.unit}>USDT</span>
      </div>
      <dl>
        {row(t('wallet.balance'), fixed(statistics?.balance))}
        {row(
          t('wallet.floating'),
          floating === undefined ? undefined : formatSigned(floating),
          undefined,
          directionOf(floating, 2),
        )}
        {money && owes && row(t('wallet.deficit'), fixed(money.deficit), owedNote)}
        {!demo && row(t('wallet.available'), fixed(available), t('wallet.available_note'))}
        {money &&
          leaves &&
          row(
            t('wallet.under_way'),
            fixed(money.underWay),
            t('wallet.under_way_note'),
            undefined,
            withdrawalsPath && (
              <Link to={withdrawalsPath} className={styles.way}>
                {t('withdraw.all')}
              </Link>
            ),
          )}
      </dl>
      {desktop ? (
        details
      ) : (
        <Disclosure head={t('wallet.details')} className={styles.more}>
          {details}
        </Disclosure>
      )}
    </section>
  )
}
