import ButtonBase from '@mui/material/ButtonBase'
import { type PointerEvent, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLanguage } from '@/i18n/use-language'
import { useReducedMotion } from '@/theme/use-media'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/icons/icon'
import { LazyImage } from '@/ui/lazy-image'
import { reportSeen } from '../api/reach'
import { BannerArt } from './banner-art'
import styles from './banner-carousel.module.css'
import { BannerText, type ShownBanner } from './banner-text'

export type BannerCarouselProps = { banners: readonly ShownBanner[] }

const ADVANCE_MS = 6_000
const SWIPE_PX = 40

/**
 * Shows one banner at a time and the next after six seconds, unless paused, hovered, or less motion is preferred.
 * Dots and swipes always work.
 */
export function BannerCarousel({ banners }: BannerCarouselProps) {
  const { t } = useTranslation()
  const { dir } = useLanguage()
  const reduced = useReducedMotion()
  const [at, setAt] = useState(0)
  const [paused, setPaused] = useState(false)
  const [held, setHeld] = useState(false)
  const press = useRef<{ x: number; y: number } | null>(null)
  const swiped = useRef(false)
  const slideId = useId()
  const count = banners.length
  const shown = at % Math.max(1, count)
  const banner = banners[shown]
  const running = count > 1 && !reduced && !paused && !held

  useEffect(() => {
    if (!running) return
    const timer = setTimeout(() => setAt((shown + 1) % count), ADVANCE_MS)
    return () => clearTimeout(timer)
  }, [running, shown, count])

  useEffect(() => {
    if (banner) reportSeen(banner.id)
  }, [banner])

  const turn = (by: 1 | -1) => setAt((shown + by + count) % count)

  const onPointerUp = (event: PointerEvent) => {
    const from = press.current
    press.current = null
    if (!from || count < 2) return
    const x = event.clientX - from.x
    if (Math.abs(x) < SWIPE_PX || Math.abs(x) < Math.abs(event.clientY - from.y)) return
    swiped.current = true
    turn(x < 0 === (dir === 'ltr') ? 1 : -1)
  }

  if (!banner) return null
  return (
    <section
      className={styles.carousel}
      aria-roledescription={t('banner.carousel')}
      aria-label={t('banner.label')}
      onPointerEnter={(event) => event.pointerType === 'mouse' && setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <div
        id={slideId}
        className={styles.slide}
        aria-live={running ? 'off' : 'polite'}
        onPointerDown={(event) => {
          press.current = { x: event.clientX, y: event.clientY }
          swiped.current = false
        }}
        onPointerUp={onPointerUp}
        onPointerCancel={() => {
          press.current = null
        }}
        onClickCapture={(event) => {
          if (swiped.current) event.preventDefault()
          swiped.current = false
        }}
      >
        <BannerText key={banner.id} banner={banner} />
        {banner.image ? (
          <LazyImage
            key={banner.image.src}
            {...banner.image}
            width={136}
            height={68}
            className={styles.picture}
          />
        ) : (
          <BannerArt className={styles.art} />
        )}
      </div>
      {count > 1 && (
        <div className={styles.controls}>
          <ButtonBase
            className={styles.dots}
            aria-controls={slideId}
            aria-label={t('banner.next', { number: shown + 1, total: count })}
            onClick={() => turn(1)}
          >
            {banners.map(({ id }, index) => (
              <b key={id} className={cx(index === shown && styles.on)} />
            ))}
          </ButtonBase>
          {!reduced && (
            <ButtonBase
              className={styles.pause}
              aria-label={paused ? t('banner.play') : t('banner.pause')}
              onClick={() => setPaused(!paused)}
            >
              <Icon name={paused ? 'play' : 'pause'} size={14} />
            </ButtonBase>
          )}
        </div>
      )}
    </section>
  )
}
