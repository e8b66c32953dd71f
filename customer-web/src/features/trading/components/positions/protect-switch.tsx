import FormControlLabel from '@mui/material/FormControlLabel'
import Switch from '@mui/material/Switch'
import styles from './position-sheets.module.css'

export type ProtectSwitchProps = {
  label: string
  on: boolean
  disabled: boolean
  onTurn: (on: boolean) => void
}

/** Turns one protection of a position on or off. */
export function ProtectSwitch({ label, on, disabled, onTurn }: ProtectSwitchProps) {
  return (
    <FormControlLabel
      className={styles.toggle ?? ''}
      label={label}
      disabled={disabled}
      control={<Switch checked={on} onChange={(_, checked) => onTurn(checked)} />}
    />
  )
}
