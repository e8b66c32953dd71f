import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatFixed, formatPercent } from '@/format/amount'
import { useAccount } from '@/live/account-store'
import { HIDDEN_AMOUNT, setBalanceHidden, useBalanceHidden } from '@/storage/balance-hidden'
import { storage } from '@/storage/storage'
import { Gauge } from '@/ui/gauge'
import { IconButton } from '@/ui/icon-button'
import { Num } from '@/ui/num'
import { Skeleton } from '@/ui/skeleton'
import { useDelayed } from '@/ui/use-delayed'
import styles from './equity-card.module.css'
import { EquityChange } from './equity-change'
import { EquityLate } from './equity-late'

export type EquityCardProps = {
  /** The account's kind, with a link to the others. */
  account: ReactNode
}

/** The first figures take a moment; after this time the trader is notified. */
const LATE_MS = 5_000

/** The account's equity and its distance from a margin call. */
export default function EquityCard({ account }: EquityCardProps) {
  const { t } = useTranslation()
  const statistics = useAccount((state) => state.statistics)
  const hidden = useBalanceHidden((state) => state.hidden)
  const late = useDelayed(statistics === null, LATE_MS)
  const level = statistics?.prepaidRatio ?? null
  const sum = (amount: string) => (hidden ? HIDDEN_AMOUNT : formatFixed(amount, 2))
  const kept = statistics ? null : storage.read('balance')
  const amount = statistics?.netValue ?? kept?.balance

  return (
    <section className={styles.card} aria-busy={statistics === null}>
      <div className={styles.top}>
        <h2>
          {kept ? t('figure.balance') : t('figure.equity')}
          <IconButton
            icon={hidden ? 'eyeOff' : 'eye'}
            label={hidden ? t('home.equity.show') : t('home.equity.hide')}
            className={styles.eye}
            onClick={() => setBalanceHidden(!hidden)}
          />
        </h2>
        {account}
      </div>
      <div className={styles.amount}>
        {amount === undefined ? (
          <Skeleton width={160} height={28} />
        ) : (
          <>
            <Num>{sum(amount)}</Num> <small>USDT</small>
          </>
        )}
      </div>
      {late ? (
        <EquityLate />
      ) : (
        <>
          <div className={styles.change}>
            {statistics ? (
              <EquityChange statistics={statistics} hidden={hidden} />
            ) : (
              <Skeleton width={120} />
            )}
          </div>
          <div className={styles.margin}>
            <span className={styles.pair}>
              {t('figure.margin_level')}
              <b>
                <Num>{level === null ? '–' : formatPercent(level)}</Num>
              </b>
            </span>
            <Gauge level={level === null ? null : Number(level)} />
            <span className={styles.pair}>
              {t('home.equity.free')}
              <b>
                {statistics ? <Num>{sum(statistics.usablePrepaid)}</Num> : <Skeleton width={64} />}
              </b>
            </span>
          </div>
        </>
      )}
    </section>
  )
}
