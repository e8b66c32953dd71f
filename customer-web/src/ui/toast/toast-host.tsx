import { lazy, Suspense, useState } from 'react'
import { useToasts } from './toast-store'

const ToastSurface = lazy(() => import('./toast-surface'))

/** Shows the toasts; their UI is loaded with the first one. */
export function ToastHost() {
  const any = useToasts(({ shown }) => shown.length > 0)
  const [used, setUsed] = useState(any)
  if (any && !used) setUsed(true)
  if (!used) return null
  return (
    <Suspense>
      <ToastSurface />
    </Suspense>
  )
}
