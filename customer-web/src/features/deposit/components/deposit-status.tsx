import { useTranslation } from 'react-i18next'
import { serverNow } from '@/api/request-headers'
import { formatAmount } from '@/format/amount'
import { bidiIsolate, bidiIsolateAuto } from '@/format/bidi-isolate'
import { formatDateTime } from '@/format/time'
import styles from '@/ui/block.module.css'
import { Button } from '@/ui/button'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/icons/icon'
import { Note } from '@/ui/note'
import { Num } from '@/ui/num'
import statusStyles from '@/ui/status-head.module.css'
import { useTimeStyle } from '@/ui/time-text'
import type { Deposit } from '../api/deposits'
import { appearanceOf, deadlineTextKeys, reasonKey, stateTextKey } from '../model/states'
import { DepositTimeline } from './deposit-timeline'

export type DepositStatusProps = {
  deposit: Deposit
  paths: { wallet?: string | undefined; support?: string | undefined; fresh: string }
}

/** The deposit's status: state, meaning, next step and deadline. */
export function DepositStatus({ deposit, paths }: DepositStatusProps) {
  const { t } = useTranslation()
  const timeStyle = useTimeStyle()
  const { state, promisedAt, reason } = deposit
  const promise = deadlineTextKeys(deposit)
  const { tone, icon } = appearanceOf(state)
  const credited = bidiIsolate(formatAmount(deposit.credited))

  return (
    <section className={styles.block}>
      <div className={statusStyles.head}>
        <span className={cx(statusStyles.icon, statusStyles[tone])}>
          <Icon name={icon} size={22} />
        </span>
        <div>
          <h2>{t(`deposit.state.${state}.name`)}</h2>
          <p className={statusStyles.amount}>
            <Num>{formatAmount(deposit.amount)}</Num> {deposit.currency}
          </p>
        </div>
      </div>
      <DepositTimeline deposit={deposit} />
      <p className={styles.text}>{t(stateTextKey(deposit, 'meaning'), { amount: credited })}</p>
      {reason !== undefined &&
        (state === 'rejected' || state === 'failed' || state === 'more_info') && (
          <Note tone={state === 'more_info' ? 'warning' : 'error'}>
            <b>{t('deposit.reason.title')}:</b> {t(reasonKey(reason))}
          </Note>
        )}
      {promisedAt !== undefined && promise && (
        <Note tone={promisedAt < serverNow() ? 'warning' : 'neutral'}>
          {t(promisedAt < serverNow() ? promise.late : promise.before, {
            time: bidiIsolateAuto(formatDateTime(promisedAt, timeStyle)),
          })}
        </Note>
      )}
      <p className={statusStyles.next}>{t(stateTextKey(deposit, 'next'))}</p>
      <div className={statusStyles.buttons}>
        {state === 'credited' && paths.wallet && (
          <Button variant="primary" to={paths.wallet}>
            {t('deposit.to_wallet')}
          </Button>
        )}
        {(state === 'expired' ||
          state === 'cancelled' ||
          state === 'rejected' ||
          state === 'failed') && (
          <Button variant="primary" to={paths.fresh}>
            {t('deposit.new')}
          </Button>
        )}
        {state === 'rejected' && paths.support && (
          <Button to={`${paths.support}?card=deposit&id=${deposit.rechargeId}`}>
            {t('deposit.ask_support')}
          </Button>
        )}
      </div>
    </section>
  )
}
