import Switch from '@mui/material/Switch'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { reasonOf } from '@/api/reason'
import { ErrorBlock } from '@/ui/error-block'
import { SkeletonRows } from '@/ui/skeleton-rows'
import {
  type NotificationSetting,
  useNotificationSettings,
  useUpdateNotificationSetting,
} from '../api/settings'
import styles from './notification-settings.module.css'

const CATEGORIES = 7

/** The trader's choice of messages by category: in the app, by email. */
export function NotificationSettings() {
  const { t } = useTranslation()
  const query = useNotificationSettings()
  const { mutate } = useUpdateNotificationSetting()
  if (query.isPending) return <SkeletonRows rows={CATEGORIES} rowHeight={64} />
  if (query.isError) {
    return (
      <ErrorBlock
        {...reasonOf(query.error)}
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
      />
    )
  }
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">{t('notifications.category')}</span>
          </th>
          <th scope="col">{t('notifications.in_app')}</th>
          <th scope="col">{t('notifications.mail')}</th>
        </tr>
      </thead>
      <tbody>
        {query.data.list.map((setting) => (
          <SettingRow key={setting.category} setting={setting} onChange={mutate} />
        ))}
      </tbody>
    </table>
  )
}

type SettingRowProps = {
  setting: NotificationSetting
  onChange: (setting: NotificationSetting) => void
}

function SettingRow({ setting, onChange }: SettingRowProps) {
  const { t } = useTranslation()
  const { category, inApp, mail, inAppLocked, mailLocked } = setting
  const name = t(`notifications.category.${category}`)
  return (
    <tr>
      <th scope="row">
        <span className={styles.name}>{name}</span>
        <span className={styles.hint}>{t(`notifications.hint.${category}`)}</span>
      </th>
      <SwitchCell
        label={t('notifications.in_app_of', { category: name })}
        on={inApp}
        locked={inAppLocked}
        onChange={(on) => onChange({ ...setting, inApp: on })}
      />
      <SwitchCell
        label={t('notifications.mail_of', { category: name })}
        on={mail}
        locked={mailLocked}
        onChange={(on) => onChange({ ...setting, mail: on })}
      />
    </tr>
  )
}

type SwitchCellProps = {
  label: string
  on: boolean
  locked: boolean
  onChange: (on: boolean) => void
}

/** A switch; one that is always on says so. */
function SwitchCell({ label, on, locked, onChange }: SwitchCellProps) {
  const { t } = useTranslation()
  const reason = useId()
  return (
    <td>
      <Switch
        checked={on}
        disabled={locked}
        onChange={(_, checked) => onChange(checked)}
        slotProps={{
          input: { 'aria-label': label, ...(locked ? { 'aria-describedby': reason } : {}) },
        }}
      />
      {locked && (
        <span id={reason} className={styles.always}>
          {t('notifications.always')}
        </span>
      )}
    </td>
  )
}
