import { cx } from './cx'
import styles from './triangle.module.css'

export type TriangleProps = { direction: 'up' | 'down' }

/** A small arrow beside a number, so that colour is never the only sign. */
export function Triangle({ direction }: TriangleProps) {
  return <i className={cx(styles.triangle, styles[direction])} aria-hidden />
}
