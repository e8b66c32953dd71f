import { useTranslation } from 'react-i18next'
import { useTryDemo } from '@/features/account/model/use-try-demo'
import { useConfigPending, useSwitch } from '@/features/switches/api/front-config'
import { useSession } from '@/session/session-store'
import { Button, type ButtonProps } from '@/ui/button'
import { cx } from '@/ui/cx'
import styles from './try-demo.module.css'

export type TryDemoProps = {
  /** The visitor has a session with a demo account. */
  onDone: () => void
  variant?: ButtonProps['variant']
  className?: string | undefined
}

/**
 * Opens a demo account for a visitor with one press; renders nothing while demo accounts are switched off or a
 * trader is logged in.
 */
export default function TryDemo({ onDone, variant = 'plain', className }: TryDemoProps) {
  const { t } = useTranslation()
  const visitor = useSession(({ token }) => token === null)
  const on = useSwitch('demo.enabled')
  const pending = useConfigPending()
  const { mutate, isPending } = useTryDemo(onDone)
  if (!visitor || !(on || pending)) return null
  if (!on) return <div className={cx(styles.room, className)} aria-busy />
  return (
    <div className={className}>
      <Button variant={variant} size="large" block busy={isPending} onClick={() => mutate()}>
        {t('shell.try_demo')}
      </Button>
    </div>
  )
}
