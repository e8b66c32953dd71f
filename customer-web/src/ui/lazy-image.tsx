import { useEffect, useRef, useState } from 'react'
import { LAZY_IMAGE_RETRIES, LAZY_IMAGE_THROTTLE_MS, VISIBILITY_THRESHOLD } from '@/constants'
import { Icon } from './icons/icon'
import styles from './lazy-image.module.css'
import { rememberLoaded, wasLoaded } from './lazy-image-cache'

export type LazyImageProps = {
  src: string
  /** The alternative text; empty for decoration. */
  alt: string
  width: number
  height: number
  className?: string | undefined
}

/**
 * A picture loaded after it has been visible for a moment. It is retried three times before an icon replaces it;
 * its space never changes.
 */
export function LazyImage({ src, alt, width, height, className }: LazyImageProps) {
  const box = useRef<HTMLSpanElement>(null)
  const [visible, setVisible] = useState(() => wasLoaded(src))
  const [attempt, setAttempt] = useState(0)
  const [waiting, setWaiting] = useState(false)
  const failed = attempt > LAZY_IMAGE_RETRIES

  useEffect(() => {
    const element = box.current
    if (visible || !element) return
    return onceOnScreen(element, () => setVisible(true))
  }, [visible])

  useEffect(() => {
    if (!waiting) return
    const timer = setTimeout(() => setWaiting(false), LAZY_IMAGE_THROTTLE_MS)
    return () => clearTimeout(timer)
  }, [waiting])

  const onError = () => {
    setAttempt(attempt + 1)
    setWaiting(true)
  }

  return (
    <span
      ref={box}
      className={className ? `${styles.box} ${className}` : styles.box}
      style={{ inlineSize: width, blockSize: height }}
    >
      {failed && <Icon name="image" size={20} {...(alt ? { label: alt } : {})} />}
      {visible && !failed && !waiting && (
        <img
          key={attempt}
          src={src}
          alt={alt}
          width={width}
          height={height}
          decoding="async"
          onLoad={() => rememberLoaded(src)}
          onError={onError}
        />
      )}
    </span>
  )
}

/** Calls back when the element has been visible for the throttle time. */
function onceOnScreen(element: Element, show: () => void): () => void {
  if (typeof IntersectionObserver === 'undefined') {
    show()
    return () => {}
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  const observer = new IntersectionObserver(
    (entries) => {
      clearTimeout(timer)
      if (entries.at(-1)?.isIntersecting) timer = setTimeout(show, LAZY_IMAGE_THROTTLE_MS)
    },
    { threshold: VISIBILITY_THRESHOLD },
  )
  observer.observe(element)
  return () => {
    clearTimeout(timer)
    observer.disconnect()
  }
}
