import Switch from '@mui/material/Switch'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { NotificationSettings } from '@/features/notice/components/notification-settings'
import { OrderEntryChoice } from '@/features/trading/components/ticket/order-entry-choice'
import { formatTimeSeconds } from '@/format/time'
import { useLanguage } from '@/i18n/use-language'
import { useRegisteredId } from '@/session/session-store'
import { readChanges, setDeviceOnly } from '@/storage/preference-changes'
import {
  defaultDirection,
  priceDirections,
  setPreferences,
  usePreferences,
} from '@/theme/preferences'
import { useDesktop } from '@/theme/use-media'
import { Button } from '@/ui/button'
import { ChoiceGroup } from '@/ui/choice-group'
import { Icon } from '@/ui/icons/icon'
import { Num } from '@/ui/num'
import { useTimeStyle } from '@/ui/time-text'
import { Page } from '../parts/page'
import { DirectionSample } from '../parts/preference-direction-sample'
import { ShortcutSheet } from '../parts/shortcut-sheet'
import { useClock } from '../parts/use-clock'
import { ZoneField } from '../parts/zone-field'
import styles from './preference-set.module.css'

/** How the app looks and works, and how the trader receives messages. */
export default function PreferenceSet() {
  const { t } = useTranslation()
  const language = useLanguage()
  const { themeMode, direction, hourCycle, timeZone } = usePreferences()
  const account = useRegisteredId()
  const desktop = useDesktop()
  const [listing, setListing] = useState(false)
  const now = useClock()
  const style = useTimeStyle()

  return (
    <Page title={t('preferences.title')}>
      <div className={styles.sections}>
        {account ? (
          <section className={styles.section}>
            <DeviceOnlySwitch key={account} userId={account} />
          </section>
        ) : (
          <p className={styles.note}>{t('preferences.not_registered')}</p>
        )}

        <section className={styles.section}>
          <Link to="/lang" className={styles.link}>
            <span className={styles.label}>{t('lang.title')}</span>
            <span className={styles.value}>{language.name}</span>
            <Icon name="forward" />
          </Link>
        </section>

        <section className={styles.section}>
          <ChoiceGroup
            label={t('preferences.theme.title')}
            value={themeMode}
            onChange={(value) => setPreferences({ themeMode: value })}
            options={[
              { value: 'light', label: t('preferences.theme.light'), icon: 'sun' },
              { value: 'dark', label: t('preferences.theme.dark'), icon: 'moon' },
              { value: 'system', label: t('preferences.theme.system'), icon: 'system' },
            ]}
          />
        </section>

        <section className={styles.section}>
          <ChoiceGroup
            label={t('preferences.direction.title')}
            hint={t('preferences.direction.hint')}
            value={direction ?? defaultDirection(language.code)}
            onChange={(value) => setPreferences({ direction: value })}
            columns={2}
            options={priceDirections.map((value) => ({
              value,
              label: t(`preferences.direction.${value}`),
              sample: <DirectionSample direction={value} />,
            }))}
          />
        </section>

        <section className={styles.section}>
          <ChoiceGroup
            label={t('preferences.clock.title')}
            value={hourCycle}
            onChange={(value) => setPreferences({ hourCycle: value })}
            options={[
              { value: '24', label: t('preferences.clock.24') },
              { value: '12', label: t('preferences.clock.12') },
            ]}
          />
          <ZoneField value={timeZone} onChange={(zone) => setPreferences({ timeZone: zone })} />
          <p className={styles.now}>
            {t('preferences.clock.now')} <Num>{formatTimeSeconds(now, style)}</Num>
          </p>
        </section>

        <section className={styles.section}>
          <PreferenceSwitch
            of="reduceMotion"
            title={t('preferences.motion.title')}
            hint={t('preferences.motion.hint')}
          />
        </section>

        <section className={styles.section}>
          <PreferenceSwitch
            of="orderSounds"
            title={t('preferences.sounds.title')}
            hint={t('preferences.sounds.hint')}
          />
        </section>

        <section className={styles.section}>
          <PreferenceSwitch
            of="compactRows"
            title={t('preferences.rows.title')}
            hint={t('preferences.rows.hint')}
          />
        </section>

        <section className={styles.section}>
          <OrderEntryChoice />
        </section>

        {desktop && (
          <section className={styles.section}>
            <PreferenceSwitch
              of="shortcuts"
              title={t('shortcuts.title')}
              hint={t('shortcuts.hint')}
            />
            <div>
              <Button size="small" onClick={() => setListing(true)}>
                {t('shortcuts.show')}
              </Button>
            </div>
            <ShortcutSheet open={listing} onClose={() => setListing(false)} />
          </section>
        )}

        {account && (
          <section className={styles.section} aria-labelledby="notifications">
            <div>
              <h2 id="notifications" className={styles.label}>
                {t('notifications.title')}
              </h2>
              <p className={styles.hint}>{t('notifications.about')}</p>
            </div>
            <NotificationSettings />
          </section>
        )}
      </div>
    </Page>
  )
}

type PreferenceSwitchProps = {
  of: 'reduceMotion' | 'orderSounds' | 'compactRows' | 'shortcuts'
  title: string
  hint: string
}

/** A preference that is on or off. */
function PreferenceSwitch({ of, title, hint }: PreferenceSwitchProps) {
  const checked = usePreferences((preferences) => preferences[of])
  const onChange = (on: boolean) => setPreferences({ [of]: on })
  return <SwitchRow title={title} hint={hint} checked={checked} onChange={onChange} />
}

/** Whether this device keeps settings of its own instead of the account's. */
function DeviceOnlySwitch({ userId }: { userId: string }) {
  const { t } = useTranslation()
  const [checked, setChecked] = useState(() => readChanges().deviceOnly === userId)
  const onChange = (on: boolean) => {
    setDeviceOnly(userId, on)
    setChecked(on)
  }
  return (
    <SwitchRow
      title={t('preferences.device_only.title')}
      hint={t(checked ? 'preferences.device_only.on' : 'preferences.device_only.off')}
      checked={checked}
      onChange={onChange}
    />
  )
}

type SwitchRowProps = {
  title: string
  hint: string
  checked: boolean
  onChange: (on: boolean) => void
}

function SwitchRow({ title, hint, checked, onChange }: SwitchRowProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the switch is the control
    <label className={styles.switch}>
      <span>
        <span className={styles.label}>{title}</span>
        <span className={styles.hint}>{hint}</span>
      </span>
      <Switch checked={checked} onChange={(_, on) => onChange(on)} />
    </label>
  )
}
