import { CopyButton } from './copy-button'
import styles from './copy-row.module.css'

export type CopyRowProps = {
  label: string
  /** The text shown. */
  shown: string
  /** The text copied, if it differs. */
  text?: string
  /** A number or code, always left to right. */
  code?: boolean
}

/** One bank detail with a copy button. */
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
