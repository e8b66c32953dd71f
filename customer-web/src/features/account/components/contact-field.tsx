import ButtonBase from '@mui/material/ButtonBase'
import { type Ref, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useConfigPending } from '@/features/switches/api/front-config'
import { TextField } from '@/ui/form/text-field'
import { Icon } from '@/ui/icons/icon'
import { Num } from '@/ui/num'
import { TabGroup } from '@/ui/tab-group'
import { useCountries } from '../api/countries'
import type { Contact } from '../model/contact'
import { useContactCountry, useEffectiveContact } from '../model/use-contact-schema'
import { usePhoneSupported } from '../model/use-phone-supported'
import styles from './contact-field.module.css'
import { CountrySheet } from './country-sheet'

export type ContactFieldProps = {
  value: Contact
  onChange: (value: Contact) => void
  error?: string | undefined
  autoFocus?: boolean
  /** Labels the field; without it, "Email address" or "Phone number". */
  label?: string
  /** Whether the trader may choose the other kind. */
  choice?: boolean
  /** The focus has left the field. */
  onLeave?: () => void
  inputRef?: Ref<HTMLInputElement | HTMLTextAreaElement> | undefined
}

/** An e-mail address or, where codes can be sent by SMS, a phone number; switched by tabs. */
export function ContactField({
  value: typed,
  onChange,
  error,
  autoFocus = false,
  label,
  choice = true,
  onLeave,
  inputRef,
}: ContactFieldProps) {
  const { t } = useTranslation()
  const panelId = useId()
  // While unknown the tabs keep their room: most platforms have both.
  const pending = useConfigPending()
  const phoneOffered = usePhoneSupported() || pending
  const [choosing, setChoosing] = useState(false)
  const value = useEffectiveContact()(typed)
  const country = useContactCountry(value)
  const mail = value.kind === 'mail'

  return (
    <div className={styles.contact}>
      {phoneOffered && choice && (
        <TabGroup
          label={t('session.contact')}
          panelId={panelId}
          list={[{ title: t('session.mail') }, { title: t('session.phone') }]}
          active={mail ? 0 : 1}
          onChange={(index) => onChange({ ...value, kind: index === 0 ? 'mail' : 'phone' })}
        />
      )}
      <div id={panelId}>
        {mail ? (
          <TextField
            key="mail"
            label={label ?? t('session.mail.label')}
            name="username"
            type="email"
            inputMode="email"
            autoComplete="username"
            ltr
            value={value.mail}
            onChange={(text) => onChange({ ...value, mail: text })}
            {...(onLeave ? { onBlur: onLeave } : {})}
            error={error}
            autoFocus={autoFocus}
            inputRef={inputRef}
          />
        ) : (
          <TextField
            key="phone"
            label={label ?? t('session.phone.label')}
            name="username"
            type="tel"
            inputMode="tel"
            autoComplete="username"
            ltr
            value={value.phone}
            onChange={(text) => onChange({ ...value, phone: text })}
            {...(onLeave ? { onBlur: onLeave } : {})}
            error={error}
            inputRef={inputRef}
            start={
              <ButtonBase
                className={styles.area}
                aria-label={t('session.area_code', { code: country ? `+${country.code}` : '–' })}
                aria-haspopup="dialog"
                onClick={() => setChoosing(true)}
              >
                <Num>{country ? `+${country.code}` : '+'}</Num>
                <Icon name="caret" />
              </ButtonBase>
            }
          />
        )}
      </div>
      <CountrySheet
        useList={useCountries}
        open={choosing}
        chosen={value.country}
        withCodes
        onChoose={({ country: iso }) => {
          onChange({ ...value, country: iso })
          setChoosing(false)
        }}
        onClose={() => setChoosing(false)}
      />
    </div>
  )
}
