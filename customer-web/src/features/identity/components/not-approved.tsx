import { useTranslation } from 'react-i18next'
import styles from '@/ui/block.module.css'
import { Button } from '@/ui/button'
import { Note } from '@/ui/note'
import { Num } from '@/ui/num'
import { StatusHead } from '@/ui/status-head'
import statusStyles from '@/ui/status-head.module.css'
import { TimeText } from '@/ui/time-text'
import type { Identity } from '../api/identity'
import { firstIncompleteStep, pageName, type Step } from '../model/steps'
import { reasonKey } from './application-form'
import own from './identity.module.css'

export type NotApprovedProps = {
  identity: Identity
  /** The path where a step is corrected. */
  pathOf: (step: Step) => string
  supportPath?: string | undefined
}

/** What was rejected: the items to correct, or a final rejection. */
export function NotApproved({ identity, pathOf, supportPath }: NotApprovedProps) {
  return identity.state === 'resubmission_required' ? (
    <SentBack identity={identity} pathOf={pathOf} supportPath={supportPath} />
  ) : (
    <Over identity={identity} supportPath={supportPath} />
  )
}

function SentBack({ identity, pathOf, supportPath }: NotApprovedProps) {
  const { t } = useTranslation()
  const { asked, attemptsLeft, applicationNo } = identity
  const mayFix = attemptsLeft > 0
  return (
    <>
      <section className={styles.block}>
        <StatusHead tone="error" icon="warn" title={t('identity.sent_back.title')}>
          {applicationNo && <Num>{applicationNo}</Num>}
        </StatusHead>
        <p className={styles.text}>
          {t(asked.length > 0 ? 'identity.sent_back.text' : 'identity.sent_back.fixed')}
        </p>
        {mayFix ? (
          <Note tone={attemptsLeft === 1 ? 'warning' : 'neutral'}>
            {t('identity.attempts_left', { count: attemptsLeft })}
          </Note>
        ) : (
          <Note tone="error">{t('identity.no_attempts')}</Note>
        )}
        {!mayFix && supportPath && (
          <div className={statusStyles.buttons}>
            <Button to={supportPath}>{t('deposit.ask_support')}</Button>
          </div>
        )}
      </section>
      {asked.length > 0 && (
        <section className={styles.block}>
          <ul>
            {asked.map(({ part, reason }) => (
              <li key={part} className={own.asked}>
                <h3>{t(`identity.part.${pageName(identity, part)}`)}</h3>
                <p>{t(reasonKey(reason))}</p>
                {mayFix && (
                  <Button
                    variant={part === asked[0]?.part ? 'primary' : 'plain'}
                    to={pathOf(part)}
                    aria-label={t('identity.fix_of', {
                      part: t(`identity.part.${pageName(identity, part)}`),
                    })}
                  >
                    {t('identity.fix')}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
      {asked.length === 0 && mayFix && (
        <div className={styles.actions}>
          <Button variant="primary" size="large" block to={pathOf(firstIncompleteStep(identity))}>
            {t('identity.review.open')}
          </Button>
        </div>
      )}
    </>
  )
}

function Over({ identity, supportPath }: Pick<NotApprovedProps, 'identity' | 'supportPath'>) {
  const { t } = useTranslation()
  const { state, reason, applicationNo, decidedAt } = identity
  return (
    <section className={styles.block}>
      <StatusHead
        tone="error"
        icon="warn"
        title={t(state === 'revoked' ? 'identity.revoked.title' : 'identity.rejected.title')}
      >
        {applicationNo && <Num>{applicationNo}</Num>}
      </StatusHead>
      <p className={styles.text}>{t(reasonKey(reason ?? 'not_accepted'))}</p>
      {decidedAt !== undefined && (
        <dl className={styles.pairs}>
          <div>
            <dt>{t('identity.fact.decided')}</dt>
            <dd>
              <TimeText at={decidedAt} />
            </dd>
          </div>
        </dl>
      )}
      <Note>{t('identity.rejected.safe')}</Note>
      {supportPath && (
        <div className={statusStyles.buttons}>
          <Button variant="primary" to={supportPath}>
            {t('deposit.ask_support')}
          </Button>
        </div>
      )}
    </section>
  )
}
