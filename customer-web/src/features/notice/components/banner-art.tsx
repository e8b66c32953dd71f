export type BannerArtProps = { className?: string | undefined }

/** The decorative logo of a banner. */
export function BannerArt({ className }: BannerArtProps) {
  return (
    <svg
      className={className}
      width="68"
      height="68"
      viewBox="0 0 68 68"
      fill="none"
      stroke="currentColor"
      aria-hidden
    >
      <path d="M48 48A20 20 0 1 1 48 20" strokeWidth="7" />
      <path d="M56.5 56.5A32 32 0 1 1 56.5 11.5" strokeWidth="1" />
      <circle cx="53" cy="34" r="5.5" fill="var(--accent)" stroke="none" />
    </svg>
  )
}
