import { useTranslation } from 'react-i18next'
import { useBonuses } from '@/features/bonus/api/bonus'
import styles from '@/features/bonus/components/bonus.module.css'
import { BonusRows } from '@/features/bonus/components/bonus-list'
import { BonusOffers } from '@/features/bonus/components/bonus-offers'
import { useAccountName } from '@/session/account-name'
import { useIsDemo, useIsGuest } from '@/session/session-store'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { Note } from '@/ui/note'
import { GuardedPage } from '../parts/guarded-page'
import { Page } from '../parts/page'

/** Bonuses: what the trader may accept, and what became of those that the trader accepted. */
export default function BonusPage() {
  const { t } = useTranslation()
  const guest = useIsGuest()
  return <Page title={t('bonus.title')}>{guest ? <NoBonus /> : <Mine />}</Page>
}

function NoBonus() {
  const { t } = useTranslation()
  return (
    <div className={styles.flow}>
      <section className={styles.block}>
        <EmptyState
          icon="info"
          text={t('bonus.guest')}
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
  const { t } = useTranslation()
  const bonuses = useBonuses()
  const demo = useIsDemo()
  const own = useAccountName()
  return (
    <GuardedPage query={bonuses}>
      {(list) => {
        const none = list.offers.length + list.bonuses.length === 0
        return (
          <div className={styles.flow}>
            <section className={styles.block}>
              {none ? (
                <EmptyState icon="info" text={list.enabled ? t('bonus.none') : t('bonus.off')} />
              ) : (
                <p className={styles.text}>{t('bonus.about')}</p>
              )}
              {demo && !none && <Note>{t('bonus.demo')}</Note>}
              {!demo && !none && own && own.number > 1 && <Note>{t('bonus.main')}</Note>}
            </section>
            <BonusOffers list={list} identityPath="/authenticate" readOnly={demo} />
            <BonusRows bonuses={list.bonuses} depositPath="/deposite" readOnly={demo} />
          </div>
        )
      }}
    </GuardedPage>
  )
}
