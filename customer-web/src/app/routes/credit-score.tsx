import { useTranslation } from 'react-i18next'
import { useCreditScore } from '@/features/score/api/score'
import { ConductFlags } from '@/features/score/components/conduct-flags'
import styles from '@/features/score/components/score.module.css'
import { ScoreCard } from '@/features/score/components/score-card'
import { ScoreFacts } from '@/features/score/components/score-facts'
import { ScoreHistory } from '@/features/score/components/score-history'
import { useIsDemo, useIsGuest } from '@/session/session-store'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { GuardedPage } from '../parts/guarded-page'
import { Page } from '../parts/page'

/** The trader's credit score: the number, the facts that make it, flags with their appeal, and its history. */
export default function CreditScorePage() {
  const { t } = useTranslation()
  const guest = useIsGuest()
  return <Page title={t('score.title')}>{guest ? <NoScore /> : <Mine />}</Page>
}

function NoScore() {
  const { t } = useTranslation()
  return (
    <div className={styles.flow}>
      <section className={styles.block}>
        <EmptyState
          icon="info"
          text={t('score.guest')}
          action={
            <Button variant="primary" to="/register">
              {t('shell.sign_up')}
            </Button>
          }
        />
      </section>
    </div>
  )
}

function Mine() {
  const score = useCreditScore()
  const demo = useIsDemo()
  return (
    <GuardedPage query={score}>
      {(data) => (
        <div className={styles.flow}>
          <ScoreCard score={data} demo={demo} />
          <ConductFlags flags={data.flags} />
          <ScoreFacts score={data} />
          <ScoreHistory />
        </div>
      )}
    </GuardedPage>
  )
}
