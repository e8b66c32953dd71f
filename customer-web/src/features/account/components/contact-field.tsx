import ButtonBase from '@mui/material/ButtonBase'
import { type Ref, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TextField } from '@/ui/form/text-field'
import { Icon } from '@/ui/icons/icon'
import { Num } from '@/ui/num'
import { useCountries } from '../api/countries'
import type { Contact } from '../model/contact'
import { useContactCountry, useEffectiveContact } from '../model/use-contact-schema'
import styles from './contact-field.module.css'
import { ContactTabs } from './contact-tabs'
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
  /** Chooses an Ethereum wallet in place of a contact; undefined where none will do. */
  onWallet?: (() => void) | undefined
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
  onWallet,
}: ContactFieldProps) {
  const { t } = useTranslation()
  const panelId = useId()
  const [choosing, setChoosing] = useState(false)
  const value = useEffectiveContact()(typed)
  const country = useContactCountry(value)
  const mail = value.kind === 'mail'

  return (
    <div className={styles.contact}>
      {choice && (
        <ContactTabs
          active={value.kind}
          wallet={onWallet !== undefined}
          panelId={panelId}
          onChange={(way) => (way === 'wallet' ? onWallet?.() : onChange({ ...value, kind: way }))}
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
