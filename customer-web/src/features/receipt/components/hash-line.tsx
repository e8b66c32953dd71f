import styles from './receipt.module.css'

export type HashLineProps = { label: string; hash: string }

/** A full hash, to read out or select. */
export function HashLine({ label, hash }: HashLineProps) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <code className={styles.hash}>{hash}</code>
      </dd>
    </div>
  )
}
