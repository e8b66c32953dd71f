import FormControlLabel from '@mui/material/FormControlLabel'
import Switch from '@mui/material/Switch'
import { cx } from '@/ui/cx'
import styles from './protect-switch.module.css'

export type ProtectSwitchProps = {
  label: string
  on: boolean
  disabled: boolean
  onTurn: (on: boolean) => void
  className?: string | undefined
}

/** Turns one protection of an order or a position on or off. */
export function ProtectSwitch({ label, on, disabled, onTurn, className }: ProtectSwitchProps) {
  return (
    <FormControlLabel
      className={cx(styles.toggle, className)}
      label={label}
      disabled={disabled}
      control={<Switch checked={on} onChange={(_, checked) => onTurn(checked)} />}
    />
  )
}
