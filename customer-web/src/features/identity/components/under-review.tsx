import { useTranslation } from 'react-i18next'
import { serverNow } from '@/api/request-headers'
import { useUnverifiedTotal } from '@/features/deposit/api/limits'
import { formatAmount } from '@/format/amount'
import { bidiIsolate } from '@/format/bidi-isolate'
import styles from '@/ui/block.module.css'
import { Button } from '@/ui/button'
import { Icon } from '@/ui/icons/icon'
import { Note } from '@/ui/note'
import { Num } from '@/ui/num'
import { StatusHead } from '@/ui/status-head'
import statusStyles from '@/ui/status-head.module.css'
import { TimeText } from '@/ui/time-text'
import type { Identity } from '../api/identity'
import own from './identity.module.css'
import { WithdrawIdentity } from './withdraw-identity'

export type UnderReviewProps = {
  identity: Identity
  paths: { deposit?: string | undefined; support?: string | undefined }
}

/** The submitted application awaits review: since when, until when, and what can be used meanwhile. */
export function UnderReview({ identity, paths }: UnderReviewProps) {
  const { t } = useTranslation()
  const { applicationNo, submittedAt, promisedAt, level, state } = identity
  const limit = useUnverifiedTotal(level === 0).data
  const late = promisedAt !== undefined && promisedAt < serverNow()
  return (
    <>
      <section className={styles.block}>
        <StatusHead tone="warning" icon="clock" title={t('identity.under_review.title')}>
          {applicationNo && <Num>{applicationNo}</Num>}
        </StatusHead>
        <p className={styles.text}>{t(`identity.under_review.${stateOf(state)}`)}</p>
        <dl className={styles.pairs}>
          {submittedAt !== undefined && (
            <div>
              <dt>{t('identity.fact.submitted')}</dt>
              <dd>
                <TimeText at={submittedAt} />
              </dd>
            </div>
          )}
          {promisedAt !== undefined && (
            <div>
              <dt>{t('identity.fact.promised')}</dt>
              <dd>
                <TimeText at={promisedAt} />
              </dd>
            </div>
          )}
        </dl>
        {late && <Note tone="warning">{t('identity.under_review.late')}</Note>}
        <div className={statusStyles.buttons}>
          {state === 'submitted' && <WithdrawIdentity identity={identity} />}
          {paths.support && <Button to={paths.support}>{t('deposit.ask_support')}</Button>}
        </div>
      </section>
      <section className={styles.block}>
        <h2>{t('identity.meanwhile.title')}</h2>
        <ul className={own.uses}>
          <li>
            <Icon name="check" />
            {t('identity.meanwhile.demo')}
          </li>
          {level > 0 && (
            <li>
              <Icon name="check" />
              {t('identity.meanwhile.as_before')}
            </li>
          )}
          {level === 0 && limit !== undefined && (
            <li>
              <Icon name="check" />
              {t('identity.meanwhile.deposit', { limit: bidiIsolate(formatAmount(limit)) })}
            </li>
          )}
        </ul>
        {paths.deposit && (
          <div className={statusStyles.buttons}>
            <Button to={paths.deposit}>{t('me.menu.deposit')}</Button>
          </div>
        )}
      </section>
    </>
  )
}

function stateOf(state: Identity['state']): 'in_review' | 'submitted' {
  return state === 'in_review' ? 'in_review' : 'submitted'
}
