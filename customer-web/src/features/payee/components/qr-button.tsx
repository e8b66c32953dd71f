import ButtonBase from '@mui/material/ButtonBase'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '@/ui/toast/toast-store'
import { addressInPicture } from '../model/qr'
import styles from './payee.module.css'

export type QrButtonProps = { onRead: (address: string) => void }

/** Reads an address from a QR code: by camera on a phone, by file everywhere. */
export function QrButton({ onRead }: QrButtonProps) {
  const { t } = useTranslation()
  const input = useRef<HTMLInputElement>(null)

  const read = async (picture: Blob) => {
    const address = await addressInPicture(picture).catch(() => undefined)
    if (address) onRead(address)
    else toast.error(t('payee.qr.failed'))
  }

  return (
    <>
      <ButtonBase className={styles.paste} onClick={() => input.current?.click()}>
        {t('payee.qr')}
      </ButtonBase>
      <input
        ref={input}
        type="file"
        accept="image/*"
        hidden
        aria-label={t('payee.qr')}
        onChange={({ target }) => {
          const [picture] = target.files ?? []
          target.value = ''
          if (picture) void read(picture)
        }}
      />
    </>
  )
}
