import styles from './picture.module.css'

export type StageBarProps = { text: string }

/** The current step of a picture: preparing, uploading or checking. */
export function StageBar({ text }: StageBarProps) {
  return (
    <div className={styles.stage} role="status">
      <span className={styles.bar} aria-hidden />
      {text}
    </div>
  )
}
