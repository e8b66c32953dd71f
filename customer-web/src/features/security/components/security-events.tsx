import i18next from 'i18next'
import { useTranslation } from 'react-i18next'
import { exportSecurityEvents } from '@/features/export/api/exports'
import { ExportButton } from '@/features/export/components/export-button'
import { ListFoot } from '@/features/list/components/list-foot'
import { EmptyState } from '@/ui/empty-state'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { TimeText } from '@/ui/time-text'
import { type SecurityEvent, useSecurityEvents } from '../api/guard'
import styles from './security.module.css'

/** What happened to what guards the account, newest first, with a "show more" button. */
export function SecurityEvents() {
  const { t } = useTranslation()
  const query = useSecurityEvents()
  const events = query.data?.pages.flatMap(({ list }) => list) ?? []
  return (
    <div className={styles.flow}>
      <section className={styles.block}>
        <div className={styles.tools}>
          <p className={styles.small}>{t('security.events.about')}</p>
          <ExportButton name="candor-security-events" fetchFile={exportSecurityEvents} />
        </div>
        {query.isPending && <SkeletonRows rows={6} rowHeight={60} />}
        {query.data && events.length === 0 && <EmptyState text={t('security.events.none')} />}
        {events.length > 0 && (
          <ul className={styles.factors}>
            {events.map((event) => (
              <Event key={event.eventId} event={event} />
            ))}
          </ul>
        )}
        <ListFoot query={query} reassurance={t('security.reassurance')} />
      </section>
    </div>
  )
}

function Event({ event: { kind, time, by, ip, device } }: { event: SecurityEvent }) {
  const { t } = useTranslation()
  // The server may know kinds that this version of the app doesn't.
  const key = `security.event.${kind}`
  const name = i18next.exists(key) ? t(key as 'security.event.login') : t('security.event.other')
  return (
    <li>
      <div className={styles.words}>
        <span className={styles.name}>{name}</span>
        <span className={styles.about}>
          {t(`security.events.by.${by}`)}
          {ip && (
            <>
              {' · '}
              <bdi dir="ltr">{ip}</bdi>
            </>
          )}
          {device && (
            <>
              {' · '}
              <bdi dir="ltr">{device}</bdi>
            </>
          )}
        </span>
      </div>
      <span className={styles.value}>
        <TimeText at={time} />
      </span>
    </li>
  )
}
