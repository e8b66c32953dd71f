import OutlinedInput from '@mui/material/OutlinedInput'
import { useTranslation } from 'react-i18next'
import { IconButton } from './icon-button'
import { Icon } from './icons/icon'
import styles from './search-field.module.css'

export type SearchFieldProps = {
  value: string
  onChange: (value: string) => void
  /** What is searched; shown while the field is empty. */
  label: string
  autoFocus?: boolean
}

export function SearchField({ value, onChange, label, autoFocus = false }: SearchFieldProps) {
  const { t } = useTranslation()
  return (
    <search>
      <OutlinedInput
        fullWidth
        type="search"
        value={value}
        placeholder={label}
        autoFocus={autoFocus}
        autoComplete="off"
        className={styles.field ?? ''}
        startAdornment={<Icon name="search" className={styles.icon} />}
        endAdornment={
          value !== '' && (
            <IconButton icon="close" label={t('ui.clear')} onClick={() => onChange('')} />
          )
        }
        onChange={(event) => onChange(event.target.value)}
        slotProps={{ input: { 'aria-label': label, spellCheck: false } }}
      />
    </search>
  )
}
