import { cx } from '../cx'
import { type IconName, iconShapes } from './icon-shapes'

export type IconProps = {
  name: IconName
  /** 16 in dense parts, 20 on buttons, 22 in the phone's bars. */
  size?: 16 | 20 | 22 | 14 | 28
  /** The accessible name, if no text is beside it. */
  label?: string
  className?: string | undefined
}

/** Icons that point in reading direction are mirrored in right-to-left languages. */
const mirrored: readonly IconName[] = ['back', 'forward', 'logout', 'send', 'horn']

export function Icon({ name, size = 16, label, className }: IconProps) {
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: labelled below, or hidden if text is beside it
    <svg
      className={cx(mirrored.includes(name) && 'flip', className)}
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
      {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
    >
      {iconShapes[name]}
    </svg>
  )
}
