import type { Target } from '../model/target'
import styles from './banner-carousel.module.css'
import { TargetLink } from './target-link'

/** A banner that this app can show. */
export type ShownBanner = {
  id: number
  title: string
  body: string
  /** The link target, if any. */
  target: Target | null
  image?: { src: string; alt: string } | undefined
}

export type BannerTextProps = { banner: ShownBanner }

export function BannerText({ banner: { id, title, body, target } }: BannerTextProps) {
  return (
    <div className={styles.text}>
      <h3>
        {target ? (
          <TargetLink id={id} target={target}>
            {title}
          </TargetLink>
        ) : (
          title
        )}
      </h3>
      <p>{body}</p>
    </div>
  )
}
