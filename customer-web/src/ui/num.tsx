import type { ReactNode } from 'react'
import { cx } from './cx'

export type NumProps = { children: ReactNode; className?: string | undefined }

/** A number, price or time: tabular digits, left to right in every language. */
export function Num({ children, className }: NumProps) {
  return (
    <bdi dir="ltr" className={cx('n', className)}>
      {children}
    </bdi>
  )
}
