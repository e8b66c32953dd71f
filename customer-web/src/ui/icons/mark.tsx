export type MarkProps = {
  size?: number
  /** The accessible name if no text is beside it, for example "Price proof". */
  label?: string
  className?: string | undefined
}

/** The mark: an open ring with the quote in its opening. Beside a price it means "price proof". */
export function Mark({ size = 26, label, className }: MarkProps) {
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: labelled below, or hidden if text is beside it
    <svg
      className={className}
      width={size}
      height={size}
      viewBox="0 0 32 32"
      {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
    >
      <path
        d="M22.63 22.63A9.375 9.375 0 1 1 22.63 9.37"
        fill="none"
        stroke="currentColor"
        strokeWidth="4.25"
      />
      <circle cx="25.2" cy="16" r="3.1" fill="var(--accent)" />
    </svg>
  )
}
