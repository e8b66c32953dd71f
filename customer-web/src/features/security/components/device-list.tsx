import { useTranslation } from 'react-i18next'
import { formatDate } from '@/format/time'
import { Button } from '@/ui/button'
import { Icon } from '@/ui/icons/icon'
import { Tag } from '@/ui/tag'
import { TimeText, useTimeStyle } from '@/ui/time-text'
import type { Device } from '../api/guard'
import styles from './security.module.css'

export type DeviceListProps = {
  devices: readonly Device[]
  /** Asks to sign a device out; all others without one. */
  onRemove: (device: Device | null) => void
}

/** The devices of the account, each with a button to sign it out. */
export function DeviceList({ devices, onRemove }: DeviceListProps) {
  const { t } = useTranslation()
  const timeStyle = useTimeStyle()
  return (
    <div className={styles.flow}>
      <ul className={styles.list}>
        {devices.map((device) => (
          <li key={device.deviceId} className={styles.row}>
            <Icon name="device" size={20} />
            <div className={styles.words}>
              <span className={styles.name}>
                <bdi dir="ltr">{device.name}</bdi>
              </span>
              <span className={styles.about}>
                <bdi dir="ltr">{device.ip}</bdi>
                {' · '}
                {t('device.since', { date: formatDate(device.firstSeenAt, timeStyle) })}
              </span>
              <span className={styles.about}>
                {device.active ? t('device.active') : t('device.inactive')}{' '}
                <TimeText at={device.lastSeenAt} />
              </span>
            </div>
            {device.current ? (
              <Tag>{t('device.this')}</Tag>
            ) : (
              <Button
                size="small"
                aria-label={t('device.sign_out_named', { name: device.name })}
                onClick={() => onRemove(device)}
              >
                {t('device.sign_out')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {devices.length > 1 ? (
        <div className={styles.below}>
          <Button variant="danger" onClick={() => onRemove(null)}>
            {t('device.sign_out_others')}
          </Button>
        </div>
      ) : (
        <p className={styles.below}>{t('device.only')}</p>
      )}
    </div>
  )
}
