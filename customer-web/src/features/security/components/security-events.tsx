import i18next from 'i18next'
import { useTranslation } from 'react-i18next'
import { exportSecurityEvents } from '@/features/export/api/exports'
import { ExportButton } from '@/features/export/components/export-button'
import { ListFoot } from '@/features/list/components/list-foot'
import { withDots } from '@/storage/mask-name'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { Icon } from '@/ui/icons/icon'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { Tag } from '@/ui/tag'
import { TimeText } from '@/ui/time-text'
import { type SecurityEvent, useSecurityEvents } from '../api/guard'
import { eventLook } from '../model/event-look'
import { OriginText } from './origin-text'
import styles from './security.module.css'

export type SecurityEventsProps = {
  passwordPath: string
  devicesPath: string
}

/** What happened to what guards the account, newest first, and what to do about an event that was somebody else. */
export function SecurityEvents({ passwordPath, devicesPath }: SecurityEventsProps) {
  const { t } = useTranslation()
  const query = useSecurityEvents()
  const events = query.data?.pages.flatMap(({ list }) => list) ?? []
  return (
    <div className={styles.flow}>
      <section className={styles.unknown} aria-label={t('security.events.unknown')}>
        <Icon name="warn" size={20} />
        <p>{t('security.events.unknown')}</p>
        <span className={styles.actions}>
          <Button to={passwordPath}>{t('password.title')}</Button>
          <Button to={devicesPath}>{t('device.title')}</Button>
        </span>
      </section>
      <section className={styles.block}>
        <div className={styles.tools}>
          <p className={styles.small}>{t('security.events.about')}</p>
          <ExportButton name="candor-security-events" fetchFile={exportSecurityEvents} />
        </div>
        {query.isPending && <SkeletonRows rows={6} rowHeight={60} />}
        {query.data && events.length === 0 && <EmptyState text={t('security.events.none')} />}
        {events.length > 0 && (
          <ul className={styles.events}>
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

function Event({ event }: { event: SecurityEvent }) {
  const { t } = useTranslation()
  const { kind, time, by, ip, device, about } = event
  const { icon, alarm } = eventLook(kind)
  // The server may know kinds that this version of the app doesn't.
  const key = `security.event.${kind}`
  const name = i18next.exists(key) ? t(key as 'security.event.login') : t('security.event.other')
  return (
    <li>
      <Icon name={icon} size={20} />
      <div className={styles.words}>
        <span className={styles.named}>
          <span className={styles.name}>{name}</span>
          {alarm && (
            <Tag tone="warning">
              <Icon name="warn" size={14} />
              {t('security.events.alarm')}
            </Tag>
          )}
        </span>
        {about && (
          <span className={styles.about}>
            <bdi dir="ltr">{withDots(about)}</bdi>
          </span>
        )}
        <span className={styles.about}>
          {t(`security.events.by.${by}`)}
          {ip && ' · '}
          <OriginText place={event} ip={ip} device={device} />
        </span>
      </div>
      <span className={styles.when}>
        <TimeText at={time} />
      </span>
    </li>
  )
}
