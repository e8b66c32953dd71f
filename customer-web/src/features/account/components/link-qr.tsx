import { QRCodeSVG } from 'qrcode.react'

export type LinkQrProps = {
  text: string
  label: string
}

/** A QR code, black on white in both themes, because cameras need it. */
export default function LinkQr({ text, label }: LinkQrProps) {
  return <QRCodeSVG value={text} size={176} marginSize={2} level="L" title={label} role="img" />
}
