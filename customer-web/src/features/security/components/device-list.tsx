import { useTranslation } from 'react-i18next'
import { ListFoot } from '@/features/list/components/list-foot'
import { formatDate } from '@/format/time'
import { Button } from '@/ui/button'
import { Icon } from '@/ui/icons/icon'
import { Tag } from '@/ui/tag'
import { TimeText, useTimeStyle } from '@/ui/time-text'
import type { Device, useDevices } from '../api/guard'
import { deviceIcon } from '../model/device-icon'
import { OriginText } from './origin-text'
import styles from './security.module.css'

export type DeviceListProps = {
  query: ReturnType<typeof useDevices>
  /** Asks to sign a device out; all others without one. */
  onRemove: (device: Device | null) => void
}

/** The devices of the account, last used first, each with a button to sign it out. */
export function DeviceList({ query, onRemove }: DeviceListProps) {
  const { t } = useTranslation()
  const devices = query.data?.pages.flatMap(({ list }) => list) ?? []
  return (
    <div className={styles.flow}>
      <ul className={styles.list}>
        {devices.map((device) => (
          <li key={device.deviceId} className={styles.row}>
            <DeviceWords device={device} />
            {!device.current && (
              <Button
                aria-label={
                  device.active
                    ? t('device.sign_out_named', { name: device.name })
                    : t('device.remove_named', { name: device.name })
                }
                onClick={() => onRemove(device)}
              >
                {device.active ? t('device.sign_out') : t('device.remove')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <ListFoot query={query} reassurance={t('security.reassurance')} className={styles.others} />
      {devices.length > 1 || query.hasNextPage ? (
        <div className={styles.others}>
          <Button block onClick={() => onRemove(null)}>
            {t('device.sign_out_others')}
          </Button>
        </div>
      ) : (
        <p className={styles.below}>{t('device.only')}</p>
      )}
    </div>
  )
}

/** A device: its name, where it logged in, and when it was used. */
export function DeviceWords({ device }: { device: Device }) {
  const { t } = useTranslation()
  const style = useTimeStyle()
  const { name, ip, current, active, lastSeenAt, firstSeenAt } = device
  return (
    <>
      <Icon name={deviceIcon(name)} size={20} />
      <div className={styles.words}>
        <span className={styles.named}>
          <bdi dir="ltr" className={styles.name}>
            {name}
          </bdi>
          {current && <Tag tone="success">{t('device.this')}</Tag>}
          {!active && <Tag>{t('device.inactive')}</Tag>}
        </span>
        <span className={styles.about}>
          <OriginText place={device} ip={ip} />
        </span>
        <span className={styles.moments}>
          <span>
            {t('device.last_used')} <TimeText at={lastSeenAt} />
          </span>
          <span>{t('device.since', { date: formatDate(firstSeenAt, style) })}</span>
        </span>
      </div>
    </>
  )
}
