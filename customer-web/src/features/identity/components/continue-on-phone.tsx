import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { OpenElsewhereSheet } from '@/features/account/components/open-elsewhere-sheet'
import { Button } from '@/ui/button'
import { Icon } from '@/ui/icons/icon'
import { toast } from '@/ui/toast/toast-store'
import { type Identity, type Side, useIdentityOnPhone } from '../api/identity'
import { hasPicture } from '../model/steps'

export type ContinueOnPhoneProps = {
  identity: Identity
  side: Side
  disabled: boolean
  /** The picture of the side has arrived from the phone. */
  onArrived: (identity: Identity) => void
}

/** Opens the verification on the phone by a QR code, and notices when the picture has arrived. */
export function ContinueOnPhone({ identity, side, disabled, onArrived }: ContinueOnPhoneProps) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="quiet" disabled={disabled} onClick={() => setOpen(true)}>
        <Icon name="device" size={20} />
        {t('identity.phone.open')}
      </Button>
      {open && (
        <OpenElsewhereSheet
          path="/authenticate"
          title={t('identity.phone.open')}
          hint={t('identity.phone.hint')}
          onClose={() => setOpen(false)}
        >
          <Arrival
            begun={identity.version}
            side={side}
            onArrived={(now) => {
              setOpen(false)
              toast.success(t('identity.phone.arrived'))
              onArrived(now)
            }}
          />
        </OpenElsewhereSheet>
      )}
    </>
  )
}

type ArrivalProps = Pick<ContinueOnPhoneProps, 'side' | 'onArrived'> & {
  /** The version when the phone took over. */
  begun: number
}

function Arrival({ begun, side, onArrived }: ArrivalProps) {
  const { t } = useTranslation()
  const first = useRef(begun)
  const tell = useRef(onArrived)
  tell.current = onArrived
  const now = useIdentityOnPhone()

  useEffect(() => {
    if (now && now.version !== first.current && hasPicture(now, side)) tell.current(now)
  }, [now, side])

  return <p role="status">{t('identity.phone.waiting')}</p>
}
