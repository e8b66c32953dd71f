import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatFixed } from '@/format/amount'
import { useLive } from '@/live/live'
import { setBalanceHidden, useBalanceHidden } from '@/storage/balance-hidden'
import { Button } from '@/ui/button'
import { IconButton } from '@/ui/icon-button'
import { Skeleton } from '@/ui/skeleton'
import { TimeText } from '@/ui/time-text'
import { useDelayed } from '@/ui/use-delayed'
import { MoneyText } from './money-text'
import styles from './wallet.module.css'

export type EquityBlockProps = {
  /** The label of the amount. */
  title: string
  /** Undefined until the first answer. */
  equity: string | undefined
  /** Shown below the amount: the same in another currency. */
  below?: ReactNode
  /** When it was fetched, if nothing was pushed since. */
  askedAt: number
  /** The path of deposits; undefined if not possible. */
  depositPath?: string | undefined
  /** The path of withdrawals; undefined if not possible. */
  withdrawPath?: string | undefined
}

/** Shorter disconnections are not shown. */
const STALE_AFTER_MS = 3_000

/** The total value, a button that hides it, and links to deposit and withdraw. */
export function EquityBlock({
  title,
  equity,
  below,
  askedAt,
  depositPath,
  withdrawPath,
}: EquityBlockProps) {
  const { t } = useTranslation()
  const hidden = useBalanceHidden((state) => state.hidden)
  const stale = useDelayed(
    useLive(({ socket }) => socket !== 'open'),
    STALE_AFTER_MS,
  )
  const lastMessageAt = useLive((state) => state.lastMessageAt)
  const asOf = Math.max(lastMessageAt, askedAt)
  return (
    <section className={styles.block}>
      <div className={styles.equity}>
        <div>
          <div className={styles.head}>
            <h2>{title}</h2>
            <IconButton
              icon={hidden ? 'eyeOff' : 'eye'}
              label={t(hidden ? 'wallet.show' : 'wallet.hide')}
              size={20}
              onClick={() => setBalanceHidden(!hidden)}
            />
          </div>
          <p className={styles.total}>
            {equity === undefined ? (
              <Skeleton width={190} height={30} />
            ) : (
              <>
                <MoneyText>{formatFixed(equity, 2)}</MoneyText> <small>USDT</small>
              </>
            )}
          </p>
          {below}
          {stale && equity !== undefined && asOf > 0 && (
            <p className={styles.asOf}>
              <span className={styles.stale} aria-hidden />
              {t('wallet.as_of')} <TimeText at={asOf} shape="timeSeconds" />
            </p>
          )}
        </div>
        {(depositPath || withdrawPath) && (
          <div className={styles.moves}>
            {depositPath && (
              <Button variant="primary" size="large" to={depositPath}>
                {t('wallet.deposit')}
              </Button>
            )}
            {withdrawPath && (
              <Button size="large" to={withdrawPath}>
                {t('wallet.withdraw')}
              </Button>
            )}
          </div>
        )}
      </div>
    </section>
  )
}
