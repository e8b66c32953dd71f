import FormHelperText from '@mui/material/FormHelperText'
import type { ReactNode } from 'react'
import { Icon } from '../icons/icon'
import styles from './field-message.module.css'

export type FieldMessageProps = {
  id: string
  error?: string | undefined
  hint?: ReactNode
}

/**
 * The message below a field: its error, else its hint. An error is announced, so its place is there before it comes;
 * a hint may follow the quotes and is not.
 */
export function FieldMessage({ id, error, hint }: FieldMessageProps) {
  return (
    <>
      <div aria-live="polite" className={styles.live}>
        {error && (
          <FormHelperText id={id} error>
            <Icon name="warn" size={14} />
            <span>{error}</span>
          </FormHelperText>
        )}
      </div>
      {!error && hint && (
        <FormHelperText id={id} error={false}>
          <span>{hint}</span>
        </FormHelperText>
      )}
    </>
  )
}
