import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Device, deleteDevice, devicesQuery, useDevices } from '@/features/security/api/guard'
import { DeviceList } from '@/features/security/components/device-list'
import { PasswordSheet } from '@/features/security/components/password-sheet'
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
  const one = removing?.device
  return (
    <>
      <GuardedPage query={devices}>
        {(list) => <DeviceList devices={list} onRemove={(device) => setRemoving({ device })} />}
      </GuardedPage>
      {removing && (
        <PasswordSheet
          title={one ? t('device.ask') : t('device.ask_others')}
          text={one ? t('device.ask.text', { name: one.name }) : t('device.ask_others.text')}
          confirmLabel={t('device.sign_out')}
          danger
          run={async (password) => {
            const left = await deleteDevice({
              password,
              ...(one ? { deviceId: one.deviceId } : {}),
            })
            client.setQueryData(devicesQuery.queryKey, left)
            close()
            toast.success(one ? t('device.done') : t('device.done_others'))
          }}
          onClose={close}
        />
      )}
    </>
  )
}
