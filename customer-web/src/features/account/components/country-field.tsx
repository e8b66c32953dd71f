import ButtonBase from '@mui/material/ButtonBase'
import FormControl from '@mui/material/FormControl'
import FormLabel from '@mui/material/FormLabel'
import { type Ref, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLanguage } from '@/i18n/use-language'
import { FieldMessage } from '@/ui/form/field-message'
import { Icon } from '@/ui/icons/icon'
import { type ListedCountry, nameCountries } from '../model/country-search'
import styles from './country-field.module.css'
import type { CountryQuery } from './country-list'
import { CountrySheet } from './country-sheet'

export type CountryFieldProps = {
  label: string
  /** Fetches the countries. */
  useList: () => CountryQuery<ListedCountry>
  /** ISO code; empty if none is chosen. */
  value: string
  onChange: (iso: string) => void
  error?: string | undefined
  inputRef?: Ref<HTMLButtonElement> | undefined
}

/** A country picker. */
export function CountryField({
  label,
  useList,
  value,
  onChange,
  error,
  inputRef,
}: CountryFieldProps) {
  const { t } = useTranslation()
  const { tag } = useLanguage()
  const id = useId()
  const [choosing, setChoosing] = useState(false)
  const chosen = useList().data?.filter(({ country }) => country === value) ?? []
  const name = nameCountries(chosen, tag)[0]?.name

  return (
    <FormControl fullWidth error={Boolean(error)} className={styles.field ?? ''}>
      <FormLabel id={`${id}-label`} component="span">
        {label}
      </FormLabel>
      <ButtonBase
        id={id}
        ref={inputRef}
        className={styles.button ?? ''}
        aria-labelledby={`${id}-label ${id}`}
        aria-haspopup="dialog"
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-message` : undefined}
        onClick={() => setChoosing(true)}
      >
        {name ?? <span className={styles.empty}>{t('session.country.choose')}</span>}
        <Icon name="caret" />
      </ButtonBase>
      <FieldMessage id={`${id}-message`} error={error} />
      <CountrySheet
        useList={useList}
        open={choosing}
        chosen={value}
        onChoose={({ country }) => {
          onChange(country)
          setChoosing(false)
        }}
        onClose={() => setChoosing(false)}
      />
    </FormControl>
  )
}
