import { Link } from 'react-router'
import styles from './banner-carousel.module.css'

/** A banner in the trader's language. */
export type ShownBanner = { id: number; title: string; body: string; to: string }

export type BannerTextProps = { banner: ShownBanner }

export function BannerText({ banner: { title, body, to } }: BannerTextProps) {
  return (
    <div className={styles.text}>
      <h3>
        <Link to={to} draggable={false}>
          {title}
        </Link>
      </h3>
      <p>{body}</p>
    </div>
  )
}
