import { useTranslation } from 'react-i18next'
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
    <div className={styles.field} role="search">
      <Icon name="search" className={styles.icon} />
      <input
        type="search"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        aria-label={label}
        placeholder={label}
        // biome-ignore lint/a11y/noAutofocus: only a page that is opened to search asks for it
        autoFocus={autoFocus}
        autoComplete="off"
        spellCheck={false}
      />
      {value !== '' && (
        <button type="button" className={styles.clear} onClick={() => onChange('')}>
          <Icon name="close" label={t('ui.clear')} />
        </button>
      )}
    </div>
  )
}
