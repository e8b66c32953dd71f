import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatFixed } from '@/format/amount'
import { errorText } from '@/i18n/error-text'
import { HIDDEN_AMOUNT, setBalanceHidden, useBalanceHidden } from '@/storage/balance-hidden'
import { ErrorBlock } from '@/ui/error-block'
import { toFailure } from '@/ui/form/problems'
import { IconButton } from '@/ui/icon-button'
import { Num } from '@/ui/num'
import { Skeleton } from '@/ui/skeleton'
import { useAssets } from '../api/statistics'
import styles from './assets-card.module.css'

const CURRENCY = 'USDT'
export type AssetsCardProps = {
  /** Buttons below the figures. */
  actions?: ReactNode
}

/** The account's value: equity large, then balance, bonus and free margin. An eye button hides the figures. */
export function AssetsCard({ actions }: AssetsCardProps) {
  const { t } = useTranslation()
  const hidden = useBalanceHidden((state) => state.hidden)
  const { statistics, remembered, error, fetching, refetch } = useAssets()
  const known = statistics ?? remembered

  const amount = (value: string | undefined) => {
    if (hidden) return HIDDEN_AMOUNT
    return value === undefined ? <Skeleton width={72} /> : <Num>{formatFixed(value, 2)}</Num>
  }

  if (error && !remembered) {
    const failure = toFailure(error)
    return (
      <section className={styles.card} aria-label={t('me.assets')}>
        <ErrorBlock
          reason={errorText(failure)}
          reassurance={t('me.assets.safe')}
          traceId={failure.traceId}
          onRetry={refetch}
          retrying={fetching}
        />
      </section>
    )
  }

  return (
    <section className={styles.card} aria-label={t('me.assets')} aria-busy={!statistics}>
      <div className={styles.head}>
        <h2>{t('me.equity')}</h2>
        <IconButton
          icon={hidden ? 'eyeOff' : 'eye'}
          label={hidden ? t('me.amounts.show') : t('me.amounts.hide')}
          onClick={() => setBalanceHidden(!hidden)}
        />
      </div>
      <p className={styles.equity}>
        {hidden ? (
          HIDDEN_AMOUNT
        ) : statistics ? (
          <>
            <Num>{formatFixed(statistics.netValue, 2)}</Num> <small>{CURRENCY}</small>
          </>
        ) : (
          <Skeleton width={176} height={30} />
        )}
      </p>
      <dl className={styles.parts}>
        <div>
          <dt>{t('me.balance')}</dt>
          <dd>{amount(known?.balance)}</dd>
        </div>
        <div>
          <dt>{t('me.bonus')}</dt>
          <dd>{amount(known?.zengjin)}</dd>
        </div>
        <div>
          <dt>{t('me.free_margin')}</dt>
          <dd>{amount(statistics?.usablePrepaid)}</dd>
        </div>
      </dl>
      {actions && <div className={styles.actions}>{actions}</div>}
    </section>
  )
}
