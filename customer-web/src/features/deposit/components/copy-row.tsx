import { CopyButton } from './copy-button'
import styles from './copy-row.module.css'

export type CopyRowProps = {
  label: string
  /** As it is read. */
  shown: string
  /** As it is copied, where that differs. */
  text?: string
  /** A number or code, which reads left to right in every language. */
  code?: boolean
}

/** One bank detail with the button that copies it. */
export function CopyRow({ label, shown, text = shown, code = false }: CopyRowProps) {
  return (
    <div className={styles.row}>
      <dt>{label}</dt>
      <dd>
        {code ? (
          <bdi dir="ltr" className="n">
            {shown}
          </bdi>
        ) : (
          <bdi>{shown}</bdi>
        )}
        <CopyButton text={text} what={label} />
      </dd>
    </div>
  )
}
