const common = { width: 18, height: 18, viewBox: '0 0 18 18' } as const

/** A box without its tick. */
export function EmptyBox() {
  return (
    <svg aria-hidden {...common} fill="none" stroke="currentColor" strokeWidth="1.5">
      <rect x=".75" y=".75" width="16.5" height="16.5" rx="3" />
    </svg>
  )
}

/** A box with its tick. */
export function TickedBox() {
  return (
    <svg aria-hidden {...common}>
      <rect width="18" height="18" rx="3" fill="currentColor" />
      <path d="m4.5 9.3 3 3 6-6.4" fill="none" stroke="var(--on-accent)" strokeWidth="2" />
    </svg>
  )
}
