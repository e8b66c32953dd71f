import { useEffect } from 'react'

const PRODUCT = 'Candor'

/** Names the page in the browser's tab and history. */
export function useTitle(title?: string): void {
  useEffect(() => {
    document.title = title ? `${title} · ${PRODUCT}` : PRODUCT
  }, [title])
}
