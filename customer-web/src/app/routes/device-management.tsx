import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Device, forgetDevice, useDevices } from '@/features/security/api/guard'
import { DeviceList } from '@/features/security/components/device-list'
import { SignOutSheet } from '@/features/security/components/sign-out-sheet'
import { useIsGuest } from '@/session/session-store'
import { toast } from '@/ui/toast/toast-store'
import { GuardedPage } from '../parts/guarded-page'
import { MockPaymentPasswordNotice } from '../parts/mock-payment-password-notice'
import { Page } from '../parts/page'

/** The devices that have logged in; each can be signed out. */
export default function DeviceManagement() {
  const { t } = useTranslation()
  const guest = useIsGuest()
  return (
    <Page title={t('device.title')}>{guest ? <MockPaymentPasswordNotice /> : <Devices />}</Page>
  )
}

function Devices() {
  const { t } = useTranslation()
  const client = useQueryClient()
  const devices = useDevices()
  const [removing, setRemoving] = useState<{ device: Device | null } | null>(null)
  const close = () => setRemoving(null)
  const done = (device: Device | null) => {
    forgetDevice(client, device?.deviceId)
    close()
    if (!device) toast.success(t('device.done_others'))
    else toast.success(device.active ? t('device.done') : t('device.done_removed'))
  }
  return (
    <>
      <GuardedPage query={devices}>
        {() => <DeviceList query={devices} onRemove={(device) => setRemoving({ device })} />}
      </GuardedPage>
      {removing && (
        <SignOutSheet
          device={removing.device}
          onDone={() => done(removing.device)}
          onClose={close}
        />
      )}
    </>
  )
}
