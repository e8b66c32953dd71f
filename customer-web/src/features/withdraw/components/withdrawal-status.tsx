import { useTranslation } from 'react-i18next'
import { serverNow } from '@/api/request-headers'
import { formatAmount } from '@/format/amount'
import { bidiIsolateAuto } from '@/format/bidi-isolate'
import { formatDateTime } from '@/format/time'
import styles from '@/ui/block.module.css'
import { Button } from '@/ui/button'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/icons/icon'
import { Note } from '@/ui/note'
import { Num } from '@/ui/num'
import statusStyles from '@/ui/status-head.module.css'
import { useTimeStyle } from '@/ui/time-text'
import type { Withdrawal } from '../api/withdrawals'
import { appearanceOf, isUnderWay, meaningKey, nameKey, ownerKey, reasonKey } from '../model/states'
import { WithdrawalStages } from './withdrawal-stages'

export type WithdrawalStatusProps = {
  withdrawal: Withdrawal
  paths: { support?: string | undefined; fresh: string }
}

/** The withdrawal's status: state, meaning, who acts next, and by when. */
export function WithdrawalStatus({ withdrawal, paths }: WithdrawalStatusProps) {
  const { t } = useTranslation()
  const { state } = withdrawal
  const { tone, icon, owner } = appearanceOf(state)
  const reason = reasonKey(withdrawal)
  const over = !isUnderWay(state)
  return (
    <section className={styles.block}>
      <div className={statusStyles.head}>
        <span className={cx(statusStyles.icon, statusStyles[tone])}>
          <Icon name={icon} size={22} />
        </span>
        <div>
          <h2>{t(nameKey(withdrawal))}</h2>
          <p className={statusStyles.amount}>
            <Num>{formatAmount(withdrawal.amount)}</Num> {withdrawal.currency}
          </p>
        </div>
      </div>
      <p className={styles.text}>{t(meaningKey(withdrawal))}</p>
      {reason && (
        <Note tone={over ? 'error' : 'warning'}>
          <b>{t('deposit.reason.title')}:</b> {t(reason)}
        </Note>
      )}
      <WithdrawalStages withdrawal={withdrawal} />
      {owner && (
        <dl className={styles.pairs}>
          <div>
            <dt>{t('withdraw.owner.title')}</dt>
            <dd>{t(ownerKey(withdrawal, owner))}</dd>
          </div>
        </dl>
      )}
      <PromisedTime withdrawal={withdrawal} />
      {over && (
        <div className={statusStyles.buttons}>
          <Button variant="primary" to={paths.fresh}>
            {t('withdraw.new')}
          </Button>
          {state !== 'completed' && state !== 'cancelled' && paths.support && (
            <Button to={`${paths.support}?card=withdrawal&id=${withdrawal.withdrawId}`}>
              {t('deposit.ask_support')}
            </Button>
          )}
        </div>
      )}
    </section>
  )
}

/** The promised time of the stage, or that it has passed. */
function PromisedTime({
  withdrawal: { state, kind, promisedAt },
}: Pick<WithdrawalStatusProps, 'withdrawal'>) {
  const { t } = useTranslation()
  const timeStyle = useTimeStyle()
  const { promise } = appearanceOf(state)
  if (!promise) return null
  const late = promisedAt < serverNow()
  return (
    <Note tone={late ? 'warning' : 'neutral'}>
      {t(
        late && promise === 'arrival' && kind === 'standard'
          ? 'withdraw.late.coins'
          : `withdraw.${late ? 'late' : 'promised'}.${promise}`,
        {
          time: bidiIsolateAuto(formatDateTime(promisedAt, timeStyle)),
        },
      )}
    </Note>
  )
}
