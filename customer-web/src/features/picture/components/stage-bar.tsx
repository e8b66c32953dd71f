import styles from './picture.module.css'

export type StageBarProps = { text: string }

/** What happens with a picture right now. */
export function StageBar({ text }: StageBarProps) {
  return (
    <div className={styles.stage} role="status">
      <span className={styles.bar} aria-hidden />
      {text}
    </div>
  )
}
