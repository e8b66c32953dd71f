import type { ReactNode } from 'react'
import { NumberInput, type NumberInputProps } from '@/ui/form/number-input'
import styles from './position-sheets.module.css'

export type CaptionedNumberProps = NumberInputProps & { caption: ReactNode }

/** A number with a short caption above it; its accessible name is longer. */
export function CaptionedNumber({ caption, ...field }: CaptionedNumberProps) {
  return (
    <div className={styles.input}>
      <span aria-hidden>{caption}</span>
      <NumberInput {...field} />
    </div>
  )
}
